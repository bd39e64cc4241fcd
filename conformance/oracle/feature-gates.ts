import { changeableFeatures, isOnByDefault, parseRelease } from 'kube-endpoints/internal';
import { type FeatureGates, features, profileFor, type ReleaseOptions } from 'kube-endpoints/versions';

/** The environment variable with the feature gates of all programs of a comparison: "IPv6DualStack=true,TopologyAwareHints=false". */
const variable = 'FEATURE_GATES';

/** A Go file of the programs: sets the feature gates of the environment, except those that the program does not have. */
export const featureGatesFile = (minor: number): Readonly<Record<string, string>> => ({
  'feature_gates.go': `package main

import (
	"os"
	"strings"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
)

func init() { setFeatureGates() }

// setFeatureGates sets the feature gates that are registered so far.
func setFeatureGates() {
	gates := os.Getenv("${variable}")
	features := utilfeature.Default${minor < 14 ? '' : 'Mutable'}FeatureGate
	// Gates that depend on each other can only be set together.
	if gates == "" || features.Set(gates) == nil {
		return
	}
	for _, gate := range strings.Split(gates, ",") {
		err := features.Set(gate)
		if err != nil && !strings.Contains(err.Error(), "unrecognized") {
			panic(err)
		}
	}
}
`,
});

/** The library's options for a release: its version, and the feature gates of the environment. */
export function optionsFor(version: string): ReleaseOptions & { readonly version: string } {
  const text = process.env[variable];
  return text ? { version, featureGates: parseFeatureGates(text) } : { version };
}

/**
 * Sets the feature gates for a release, for this process and the programs that it starts.
 * @param text the gates, or "flipped": each gate that can be changed is the opposite of its default
 * @returns the gates as text; empty if there are none
 */
export function setFeatureGates(text: string, version: string): string {
  const gates = text === 'flipped' ? flipGates(version) : text;
  process.env[variable] = gates;
  if (gates !== '') profileFor(version, parseFeatureGates(gates));
  return gates;
}

const flipGates = (version: string): string =>
  changeableFeatures(parseRelease(version))
    // A gate that needs another one, which is flipped, too, is off.
    .map((name) => `${name}=${features[name].needs === undefined && !isOnByDefault(features[name], parseRelease(version))}`)
    .join(',');

const parseFeatureGates = (text: string): FeatureGates =>
  Object.fromEntries(text.split(',').map((gate) => [gate.split('=')[0], gate.endsWith('=true')]));
