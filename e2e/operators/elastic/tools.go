//go:build tools

package tools

import _ "github.com/elastic/cloud-on-k8s/v3/cmd"
