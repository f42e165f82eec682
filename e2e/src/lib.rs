//! Tests of the product against a real Kubernetes.
