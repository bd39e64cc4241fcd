import {
  cidrDetector,
  createEndpointsFile,
  earlierAdaptations,
  familyFlag,
  nonEmptyFilter,
  opensPorts,
  portOpener,
  topologyFile,
  trackerArguments,
} from './wire-earlier.ts';
import { createTables } from './wire-tables.ts';

/** Go files of the oracle that are the same for all releases that have them. */
export const copiedFiles = (version: string): readonly string[] => [
  'main.go',
  'view.go',
  'rules.go',
  'text.go',
  ...(minorIn(version) >= firstIpvs ? ['ipvs.go'] : []),
  ...(minorIn(version) >= firstNftables ? ['nftables.go'] : []),
  ...(minorIn(version) >= firstBench ? ['bench.go'] : []),
];

/** `wire.go` connects the oracle to a release's kube-proxy: paths of packages, and parameters of constructors and trackers. */
export const generateFiles = (version: string): Readonly<Record<string, string>> => ({
  'wire.go': generateWire(version),
  ...(usesOwnTables(minorIn(version)) && { 'tables.go': createTables(minorIn(version)) }),
  ...(minorIn(version) < 22 && { 'topology.go': topologyFile, 'endpoints.go': createEndpointsFile(minorIn(version)) }),
  'wire_nftables.go': generateNftables(minorIn(version)),
  'wire_ipvs.go': generateIpvs(minorIn(version)),
});

/** Adapts a copied Go file to an old release, which has other names or returns results elsewhere. */
export const adaptFile = (text: string, version: string): string =>
  adaptations.filter(({ before }) => minorIn(version) < before).reduce((adapted, { from, to }) => adapted.replaceAll(from, to), text);

/** Before 1.25, upstream's fake of iptables has no tables. */
const usesOwnTables = (minor: number): boolean => minor < 25;

const adaptations: readonly { readonly before: number; readonly from: string; readonly to: string }[] = [
  { before: 29, from: 'endpoint.IsLocal()', to: 'endpoint.GetIsLocal()' },
  { before: 27, from: '\tservices.Update(serviceChanges)', to: '\thealthCheckPorts := services.Update(serviceChanges).HCServiceNodePorts' },
  {
    before: 27,
    from: '\tendpoints.Update(endpointChanges)',
    to: '\tlocalReady := endpoints.Update(endpointChanges).HCEndpointsLocalIPSize',
  },
  {
    before: 25,
    from: 'kernel := fakeIptables(of)\n\tn.feed(n.iptablesProxier(of, kernel))\n',
    to: 'kernel := newTables(of)\n\tn.feed(n.iptablesProxier(of, kernel))\n',
  },
  {
    before: 25,
    from: 'func rulesOf(kernel *iptablestesting.FakeIPTables,',
    to: 'func rulesOf(kernel *tables,',
  },
  {
    before: 25,
    from: 'kernel, servers, sets := fakeIptables(of), ',
    to: 'kernel, servers, sets := newTables(of), ',
  },
  { before: 28, from: 'pkg/proxy/ipvs/ipset/testing', to: 'pkg/util/ipset/testing' },
  { before: 28, from: 'pkg/proxy/ipvs/util/testing', to: 'pkg/util/ipvs/testing' },
  { before: 26, from: 'proxy.ServicePortMap', to: 'proxy.ServiceMap' },
  { before: 26, from: 'texts[T fmt.Stringer](all []T)', to: 'texts(all []proxy.Endpoint)' },
  { before: 27, from: 'services.HealthCheckNodePorts()', to: 'healthCheckPorts' },
  { before: 27, from: 'endpoints.LocalReadyEndpoints()', to: 'localReady' },
  ...earlierAdaptations,
];

const minorIn = (version: string): number => Number(version.split('.')[1]);

/** The first minor release whose mode ipvs is compared. */
const firstIpvs = 24;
/** The first minor release with the mode nftables. */
const firstNftables = 29;
/** The first minor release for which the program times syncs. */
const firstBench = 34;

const importList = (names: readonly (string | false)[]): string =>
  `package main\n\nimport (\n${names
    .filter((name) => name !== false)
    .map((name) => `\t${name}\n`)
    .join('')})\n`;

const detectorPackage = (minor: number): string => `"k8s.io/kubernetes/pkg/proxy/util${minor < 31 ? '/iptables' : ''}"`;

function generateWire(version: string): string {
  const minor = minorIn(version);
  const hasPorts = opensPorts(version);
  const imports = importList([
    minor >= 31 && '"context"',
    minor < 33 && '"errors"',
    (minor < 34 || minor >= 37) && 'metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"',
    'v1 "k8s.io/api/core/v1"',
    `sysctltesting "k8s.io/${minor < 23 ? 'kubernetes/pkg/util/sysctl' : 'component-helpers/node/util/sysctl'}/testing"`,
    '"k8s.io/kubernetes/pkg/proxy"',
    minor >= 37 && 'config "k8s.io/kubernetes/pkg/proxy/apis/config"',
    minor >= 30 && '"k8s.io/kubernetes/pkg/proxy/conntrack"',
    '"k8s.io/kubernetes/pkg/proxy/iptables"',
    minor < 28 && 'proxyutil "k8s.io/kubernetes/pkg/proxy/util"',
    minor >= 18 && `detectors ${detectorPackage(minor)}`,
    'utiliptables "k8s.io/kubernetes/pkg/util/iptables"',
    minor < 33 && '"k8s.io/utils/exec"',
    minor < 33 && 'fakeexec "k8s.io/utils/exec/testing"',
    hasPorts && minor >= 21 && 'netutils "k8s.io/utils/net"',
    (minor >= 30 || hasPorts) && '"reflect"',
    minor < 28 && '"strings"',
  ]);
  const constants = `const skipsKernelCheck = ${minor >= 33}\n\nvar benchMode = ${minor >= firstBench ? 'bench' : 'run'}\n`;
  return [
    imports,
    constants,
    informerWire(minor, hasPorts),
    detectorWire(minor),
    configWire(minor),
    iptablesWire(minor),
    trackerWire(minor),
    portOpener(version, minor) + nonEmptyFilter(minor) + familyFlag(minor),
  ].join('\n');
}

/** The notifications of a node's labels and of the Service CIDRs; the fields that reach outside of the process. */
function informerWire(minor: number, hasPorts: boolean): string {
  const [method, labels] =
    minor >= 34
      ? ['OnTopologyChange(map[string]string)', 'OnTopologyChange(n.NodeLabels)']
      : ['OnNodeAdd(*v1.Node)', 'OnNodeAdd(&v1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.NodeName, Labels: n.NodeLabels}})'];
  const hasCIDRs = minor >= 30;
  return `// wiredProxier has the notifications whose names differ between releases.
type wiredProxier interface {
	${method}
${hasCIDRs ? '\tOnServiceCIDRsChanged([]string)\n' : ''}}

func (n *node) feedNode(p proxier) {
	p.${labels}
${hasCIDRs ? '\tp.OnServiceCIDRsChanged(n.ServiceCIDRs)\n' : ''}}

func isolateConntrack(p proxier) {
${minor >= 30 ? '\tfieldOf(p, "conntrack").Set(reflect.ValueOf(conntrack.NewFake()))\n' : ''}${hasPorts ? '\tfieldOf(p, "portMapper").Set(reflect.ValueOf(idlePorts{}))\n' : ''}}
${minor < 33 ? '\n// noCommands finds no program on the path.\nfunc noCommands() exec.Interface {\n\treturn &fakeexec.FakeExec{LookPathFunc: func(string) (string, error) { return "", errors.New("not found") }}\n}\n' : ''}`;
}

const detectorWire = (minor: number): string =>
  `${minor < 18 ? cidrDetector : localDetectorWire(minor)}${minor < 28 ? portRangesWire(minor) : ''}`;

const localDetectorWire = (minor: number): string => `type detector = detectors.LocalTrafficDetector

func newDetector(cidr string) detector {
${minor >= 31 ? '\treturn detectors.NewDetectLocalByCIDR(cidr)' : `\tlocal, err := detectors.NewDetectLocalByCIDR(${minor < 28 ? 'cidr, fakeIptables(familyOf(cidr))' : 'cidr'})\n\tmust(err)\n\treturn local`}
}

func noDetector() detector { return detectors.NewNoOpLocalDetector() }
`;

/** Before 1.28, detectors need iptables of the family, and proxiers get only the ranges of theirs; before 1.21, proxiers select these. */
const portRangesWire = (minor: number): string => `
func familyOf(cidr string) v1.IPFamily {
	if strings.Contains(cidr, ":") {
		return v1.IPv6Protocol
	}
	return v1.IPv4Protocol
}

func (n *node) portRanges(of v1.IPFamily) []string {
	return ${minor < 21 ? 'n.portAddresses()' : 'proxyutil.MapCIDRsByIPFamily(n.portAddresses())[of]'}
}
`;

/** The configuration object that constructors take from 1.37 on. */
const configWire = (minor: number): string =>
  minor < 37
    ? ''
    : `func (n *node) config() *config.KubeProxyConfiguration {
	bit := int32(n.bit())
	c := &config.KubeProxyConfiguration{NodePortAddresses: n.portAddresses(), SyncPeriod: metav1.Duration{Duration: never}}
	c.Linux.MasqueradeAll = n.MasqueradeAll
	c.IPTables = config.KubeProxyIPTablesConfiguration{MasqueradeBit: &bit, LocalhostNodePorts: &n.LocalhostNodePorts}
	c.NFTables = config.KubeProxyNFTablesConfiguration{MasqueradeBit: &bit}
	return c
}
`;

const context = (minor: number): string => (minor >= 31 ? 'context.Background(), ' : '');

function iptablesWire(minor: number): string {
  const [before, after] =
    minor >= 37
      ? ['n.config(), of, kernel, sysctltesting.NewFake()', '']
      : [
          `${minor < 27 ? '' : 'of, '}kernel, sysctltesting.NewFake(), ${minor < 33 ? 'noCommands(), ' : ''}never, 0, n.MasqueradeAll, ${minor < 26 ? '' : 'n.LocalhostNodePorts, '}n.bit()`,
          minor < 28 ? ', n.portRanges(of)' : ', n.portAddresses()',
        ];
  return `func (n *node) iptablesProxier(of v1.IPFamily, kernel utiliptables.Interface) *iptables.Proxier {
	p, err := iptables.NewProxier(${context(minor)}${before}, n.localDetector(of), n.NodeName, n.ip(of), nil, nil${after}${minor < 29 ? '' : ', false'})
	must(err)
${minor >= 31 ? '\tfieldOf(p, "nfacct").SetZero()\n' : ''}	n.isolate(p)
	return p
}
`;
}

const trackerWire = (minor: number): string => `func serviceTracker(of v1.IPFamily) *proxy.ServiceChangeTracker {
	return proxy.NewServiceChangeTracker(${minor >= 33 ? 'of, nil, nil' : trackerArguments(minor).services})
}

func (n *node) endpointsTracker(of v1.IPFamily) *proxy.${minor < 29 ? 'EndpointChangeTracker' : 'EndpointsChangeTracker'} {
	return proxy.New${minor < 29 ? 'EndpointChangeTracker' : 'EndpointsChangeTracker'}(${minor >= 33 ? 'of, n.NodeName, nil, nil' : trackerArguments(minor).endpoints})
}

${listWire(minor)}
${
  minor < 24
    ? ''
    : `func (n *node) categorize(all []proxy.Endpoint, s proxy.ServicePort) (cluster, local, reachable []proxy.Endpoint, hasAny bool) {
	return proxy.CategorizeEndpoints(all, s, ${minor >= 33 ? 'n.NodeName, ' : ''}n.NodeLabels)
}
`
}`;

/** The lists of addresses of a port: from 1.30 on as addresses, before as texts. */
const listWire = (minor: number): string =>
  [
    ['externalIPs', 'ExternalIPs', 'ExternalIPStrings'],
    ['loadBalancerVIPs', 'LoadBalancerVIPs', 'LoadBalancerVIPStrings'],
    ['sourceRanges', 'LoadBalancerSourceRanges', 'LoadBalancerSourceRanges'],
  ]
    .map(([name, method, textMethod]) => {
      const oldMethod = minor < 29 ? textMethod?.replace('VIPStrings', 'IPStrings') : textMethod;
      // Before 1.21, a host name of a load balancer is an empty address, for which there is no rule.
      const skipsEmpty = minor < 21 && name === 'loadBalancerVIPs';
      const list = skipsEmpty
        ? `nonEmpty(s.${oldMethod}())`
        : minor >= 30
          ? `texts(s.${method}())`
          : `append([]string{}, s.${oldMethod}()...)`;
      return `func ${name}(s proxy.ServicePort) []string { return ${list} }\n`;
    })
    .join('');

function generateNftables(minor: number): string {
  if (minor < firstNftables)
    return `package main

import v1 "k8s.io/api/core/v1"

func (n *node) nftablesRules(v1.IPFamily) []string { return nil }
`;
  const knftables = minor >= 30 ? 'sigs.k8s.io/knftables' : 'github.com/danwinship/knftables';
  const imports = importList([
    minor >= 31 && '"context"',
    '"reflect"',
    minor < 30 && '"sort"',
    minor < 30 && '"strings"',
    'v1 "k8s.io/api/core/v1"',
    minor < 31 && 'sysctltesting "k8s.io/component-helpers/node/util/sysctl/testing"',
    '"k8s.io/kubernetes/pkg/proxy/nftables"',
    `"${knftables}"`,
  ]);
  const [before, after] =
    minor >= 37
      ? ['n.config(), of', '']
      : [`of, ${minor < 31 ? 'sysctltesting.NewFake(), ' : ''}never, 0, n.MasqueradeAll, n.bit()`, ', n.portAddresses()'];
  return `${imports}
func (n *node) nftablesProxier(of v1.IPFamily, kernel knftables.Interface) *nftables.Proxier {
	p, err := nftables.NewProxier(${context(minor)}${before}, n.localDetector(of), n.NodeName, n.ip(of), nil, nil${after}, false)
	must(err)
	fieldOf(p, "nftables").Set(reflect.ValueOf(kernel))
	n.isolate(p)
	return p
}

${fakeWire(minor)}`;
}

/** knftables' fake. The one of 1.29 dumps each object with its content; its lines are arranged as in later releases. */
const fakeWire = (minor: number): string => {
  const [type, create] = minor < 30 ? ['arrangedFake', 'arrange'] : ['*knftables.Fake', 'knftables.NewFake'];
  return `func fakeNftables(of v1.IPFamily) ${type} {
	if of == v1.IPv6Protocol {
		return ${create}(knftables.IPv6Family, "kube-proxy")
	}
	return ${create}(knftables.IPv4Family, "kube-proxy")
}
${minor < 30 ? arrangedFake : ''}`;
};

const arrangedFake = `
type arrangedFake struct{ *knftables.Fake }

func arrange(of knftables.Family, table string) arrangedFake { return arrangedFake{knftables.NewFake(of, table)} }

func (f arrangedFake) Dump() string {
	rank := map[string]int{"table": 0, "chain": 1, "set": 2, "map": 3, "rule": 4, "element": 5}
	lines := strings.Split(strings.TrimSpace(f.Fake.Dump()), "\\n")
	sort.SliceStable(lines, func(i, j int) bool {
		return rank[strings.Fields(lines[i])[1]] < rank[strings.Fields(lines[j])[1]]
	})
	return strings.Join(lines, "\\n")
}
`;

function generateIpvs(minor: number): string {
  if (minor < firstIpvs)
    return `package main

import v1 "k8s.io/api/core/v1"

func (n *node) ipvsRules(v1.IPFamily) []string { return nil }
`;
  const folder = minor < 28 ? 'util' : 'proxy/ipvs';
  const hasAddressGetter = minor < 27;
  const imports = importList([
    minor >= 31 && '"context"',
    hasAddressGetter && '"net"',
    hasAddressGetter && '"reflect"',
    'v1 "k8s.io/api/core/v1"',
    hasAddressGetter && '"k8s.io/apimachinery/pkg/util/sets"',
    'sysctltesting "k8s.io/component-helpers/node/util/sysctl/testing"',
    '"k8s.io/kubernetes/pkg/proxy/ipvs"',
    `utilipset "k8s.io/kubernetes/pkg/${folder}/ipset"`,
    'netlinktesting "k8s.io/kubernetes/pkg/proxy/ipvs/testing"',
    `utilipvs "k8s.io/kubernetes/pkg/${minor < 28 ? 'util/ipvs' : 'proxy/ipvs/util'}"`,
    'utiliptables "k8s.io/kubernetes/pkg/util/iptables"',
  ]);
  const kernels = `${minor < 27 ? '' : 'of, '}kernel, servers, sets, sysctltesting.NewFake()`;
  const [before, after] =
    minor >= 37
      ? [`n.config(), ${kernels}`, '']
      : [
          `${kernels}, ${minor < 33 ? 'noCommands(), ' : ''}never, 0, nil, false, 0, 0, 0, n.MasqueradeAll, n.bit()`,
          `, "", ${minor < 28 ? 'n.portRanges(of)' : 'n.portAddresses()'}`,
        ];
  return `${imports}
func (n *node) ipvsProxier(of v1.IPFamily, kernel utiliptables.Interface, servers utilipvs.Interface, sets utilipset.Interface) *ipvs.Proxier {
	p, err := ipvs.NewProxier(${context(minor)}${before}, n.localDetector(of), n.NodeName, n.ip(of), nil, nil${after}, ${minor < 29 ? 'ipvs.NewLinuxKernelHandler()' : 'false'})
	must(err)
	n.isolate(p)
	return p
}
${hasAddressGetter ? addressGetter : newLinks}`;
}

/** The fake of netlink, and how a proxier gets it. */
const newLinks = `
func newLinks(of v1.IPFamily) *netlinktesting.FakeNetlinkHandle {
	return netlinktesting.NewFakeNetlinkHandle(of == v1.IPv6Protocol)
}

func setLinks(p *ipvs.Proxier, links *netlinktesting.FakeNetlinkHandle) {}
`;

/** Before 1.27, a separate object lists the addresses. */
const addressGetter = `
func newLinks(of v1.IPFamily) *netlinktesting.FakeNetlinkHandle {
	links := netlinktesting.NewFakeNetlinkHandle()
	links.IsIPv6 = of == v1.IPv6Protocol
	return links
}

type addressGetter struct{ links *netlinktesting.FakeNetlinkHandle }

func (g addressGetter) BindedIPs() (sets.String, error) { return g.links.GetLocalAddresses("kube-ipvs0") }

func (g addressGetter) NodeIPs() (ips []net.IP, err error) {
	all, err := g.links.GetAllLocalAddresses()
	bound, _ := g.BindedIPs()
	for text := range all.Difference(bound) {
		ips = append(ips, net.ParseIP(text))
	}
	return ips, err
}

func setLinks(p *ipvs.Proxier, links *netlinktesting.FakeNetlinkHandle) {
	fieldOf(p, "ipGetter").Set(reflect.ValueOf(addressGetter{links}))
}
`;
