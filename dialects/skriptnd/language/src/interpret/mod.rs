//! The interpreter: executes a composed graph straight from the formulas, slowly and obviously. It is the oracle
//! that every compiled result is compared with.
