//go:build tools

package tools

import _ "github.com/cert-manager/trust-manager/cmd/trust-manager"
