fn main() -> skriptnd_tablegen::Result<()> {
    skriptnd_tablegen::BuildScript::new("src")?.generate("Toy.td")
}
