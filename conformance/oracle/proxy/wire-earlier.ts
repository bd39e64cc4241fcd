/** The parts of the oracle for releases before 1.24. */

/** Replacements in the copied Go files, for releases before `before`. Earlier entries of the list apply first. */
export const earlierAdaptations: readonly { readonly before: number; readonly from: string; readonly to: string }[] = [
  // The lists of endpoints are computed in the proxier; the rules show them.
  {
    before: 24,
    from: 'cluster, local, reachable, hasAny := n.categorize(endpoints, s)',
    to: 'var cluster, local, reachable []proxy.Endpoint\n\thasAny := false',
  },
  { before: 24, from: 's.ExternallyAccessible()', to: 'false' },
  { before: 24, from: 's.UsesClusterEndpoints()', to: 'false' },
  { before: 24, from: 's.UsesLocalEndpoints()', to: 'false' },
  { before: 21, from: 's.ExternalPolicyLocal()', to: 's.OnlyNodeLocalEndpoints()' },
  { before: 21, from: 's.InternalPolicyLocal()', to: 'false' },
  { before: 24, from: 's.ExternalPolicyLocal()', to: 's.NodeLocalExternal()' },
  { before: 24, from: 's.InternalPolicyLocal()', to: '(s.NodeLocalInternal() && !s.NodeLocalExternal())' },
  { before: 22, from: '"k8s.io/api/discovery/v1"', to: '"k8s.io/api/discovery/v1beta1"' },
  { before: 22, from: 'json.Unmarshal(line, &asked)', to: 'json.Unmarshal(withTopology(line), &asked)' },
  {
    before: 22,
    from: '\tEndpointSlices     []*discovery.EndpointSlice `json:"endpointSlices"`\n',
    to: '\tEndpointSlices []*discovery.EndpointSlice `json:"endpointSlices"`\n\tEndpoints []*v1.Endpoints `json:"endpoints"`\n',
  },
  {
    before: 22,
    from: '\tfor _, slice := range n.EndpointSlices {\n\t\tendpointChanges.EndpointSliceUpdate(slice, false)\n\t}\n',
    to: '\tn.trackEndpoints(endpointChanges)\n',
  },
  {
    before: 22,
    from: '\tfor _, slice := range n.EndpointSlices {\n\t\tp.OnEndpointSliceAdd(slice)\n\t}\n',
    to: '\tn.feedEndpoints(p)\n',
  },
  { before: 22, from: '\tp.OnEndpointSlicesSynced()\n', to: '\tendpointsSynced(p)\n' },
  {
    before: 22,
    from: '\tOnEndpointSlicesSynced()\n',
    to: '\tOnEndpointSlicesSynced()\n\tOnEndpointsAdd(*v1.Endpoints)\n\tOnEndpointsSynced()\n',
  },
  { before: 21, from: 'services.Update(serviceChanges)', to: 'proxy.UpdateServiceMap(services, serviceChanges)' },
  { before: 21, from: 'endpoint.IsReady()', to: 'true' },
  { before: 21, from: 'endpoint.IsServing()', to: 'true' },
  { before: 21, from: 'endpoint.IsTerminating()', to: 'false' },
  { before: 19, from: '"k8s.io/klog/v2"', to: '"k8s.io/klog"' },
  { before: 18, from: 'iptablestesting.NewIPv6Fake()', to: 'iptablestesting.NewFake()' },
  { before: 19, from: 'iptablestesting.NewIPv6Fake()', to: 'iptablestesting.NewIpv6Fake()' },
];

/** A Go function that converts slices of v1 to those of v1beta1, which name the node and the zone in a map. */
export const topologyFile = `package main

import "encoding/json"

func withTopology(line []byte) []byte {
	var asked map[string]interface{}
	must(json.Unmarshal(line, &asked))
	for _, slice := range asList(asked["endpointSlices"]) {
		for _, each := range asList(slice.(map[string]interface{})["endpoints"]) {
			endpoint := each.(map[string]interface{})
			topology := map[string]interface{}{}
			if former, ok := endpoint["deprecatedTopology"].(map[string]interface{}); ok {
				topology = former
			}
			for field, label := range map[string]string{"nodeName": "kubernetes.io/hostname", "zone": "topology.kubernetes.io/zone"} {
				if text, ok := endpoint[field].(string); ok {
					topology[label] = text
				}
			}
			endpoint["topology"] = topology
		}
	}
	converted, err := json.Marshal(asked)
	must(err)
	return converted
}

func asList(value interface{}) []interface{} {
	list, _ := value.([]interface{})
	return list
}
`;

/** The first patch releases whose proxiers do not open the ports of Services on the machine. Before 1.21, all do. */
const firstWithoutPorts: Readonly<Record<number, number>> = { 21: 13, 22: 10, 23: 7 };

/** Whether a proxier opens the ports of Services on the machine, unless it has another opener. */
export function opensPorts(version: string): boolean {
  const [, minor = 0, patch = 0] = version.split('.').map(Number);
  return minor < 21 || patch < (firstWithoutPorts[minor] ?? 0);
}

/** The package with the type of an opener. */
export const portPackage = (minor: number): string => (minor < 21 ? 'proxyutil' : 'netutils');

/** An opener that opens nothing. */
export const portOpener = (version: string, minor: number): string =>
  opensPorts(version)
    ? `
type idlePorts struct{}

func (idlePorts) OpenLocalPort(*${portPackage(minor)}.LocalPort${minor < 18 || minor >= 21 ? '' : ', bool'}) (${portPackage(minor)}.Closeable, error) {
	return idlePorts{}, nil
}

func (idlePorts) Close() error { return nil }
`
    : '';

/** Before 1.21, lists of addresses can contain empty texts. */
export const nonEmptyFilter = (minor: number): string =>
  minor >= 21
    ? ''
    : `
func nonEmpty(all []string) []string {
	out := []string{}
	for _, each := range all {
		if each != "" {
			out = append(out, each)
		}
	}
	return out
}
`;

/** A Go file: before 1.22, feature gates decide whether kube-proxy reads slices or Endpoints. */
export const createEndpointsFile = (minor: number): string => `package main

import (
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/proxy"
)

func readsSlices() bool {
	return utilfeature.DefaultFeatureGate.Enabled(features.${minor < 18 ? 'EndpointSlice' : 'EndpointSliceProxying'})
}

func (n *node) trackEndpoints(changes *proxy.EndpointChangeTracker) {
	if !readsSlices() {
		for _, endpoints := range n.Endpoints {
			changes.Update(nil, endpoints)
		}
		return
	}
	for _, slice := range n.EndpointSlices {
		changes.EndpointSliceUpdate(slice, false)
	}
}

func (n *node) feedEndpoints(p proxier) {
	if !readsSlices() {
		for _, endpoints := range n.Endpoints {
			p.OnEndpointsAdd(endpoints)
		}
		return
	}
	for _, slice := range n.EndpointSlices {
		p.OnEndpointSliceAdd(slice)
	}
}

func endpointsSynced(p proxier) {
	if readsSlices() {
		p.OnEndpointSlicesSynced()
	} else {
		p.OnEndpointsSynced()
	}
}
`;

/** The arguments of the trackers of Services and of endpoints. */
export const trackerArguments = (minor: number): { readonly services: string; readonly endpoints: string } => ({
  services: minor >= 20 ? 'nil, of, nil, nil' : `nil, isIPv6(of), nil${minor < 19 ? '' : ', nil'}`,
  endpoints: `n.NodeName, nil, ${minor >= 20 ? 'of' : 'isIPv6(of)'}, nil${minor >= 22 ? ', nil' : minor >= 19 ? ', readsSlices(), nil' : ', readsSlices()'}`,
});

/** Before 1.20, trackers take a flag for the family. */
export const familyFlag = (minor: number): string =>
  minor >= 20
    ? ''
    : `
func isIPv6(of v1.IPFamily) *bool {
	is := of == v1.IPv6Protocol
	return &is
}
`;

/** Before 1.18, a detector is the CIDR itself. */
export const cidrDetector = `type detector = string

func newDetector(cidr string) detector { return cidr }

func noDetector() detector { return "" }
`;
