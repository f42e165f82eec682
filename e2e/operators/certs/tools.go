//go:build tools

package tools

import _ "github.com/cert-manager/cert-manager/cmd/controller"
