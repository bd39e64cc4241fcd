import type { ProxyGate } from './gate.ts';

/** Changes of what a node sees and of both modes' rules. */
export type ViewGateName =
  | 'hostnameTopology'
  | 'balancerIPsOfFamily'
  | 'shortPortNames'
  | 'slicesRead'
  | 'trimmedRanges'
  | 'clusterIPs'
  | 'checkedAddresses'
  | 'unreadyEndpoints'
  | 'capitalAuto'
  | 'hostnameIgnored'
  | 'duplicatesByPort'
  | 'topologyKeys'
  | 'hintsOfReady'
  | 'separatePolicies'
  | 'externalIPs'
  | 'internalPolicy'
  | 'zoneHints'
  | 'terminatingFallback'
  | 'anyHintsMode'
  | 'externalIPsPolicy'
  | 'sourcesAsWritten'
  | 'ipModes'
  | 'parsedServiceIPs'
  | 'rangeFamilyOfAddress'
  | 'hintsByDefault'
  | 'parsedEndpointIPs'
  | 'slicesOfFamily'
  | 'nodeHints'
  | 'emptyPortsSkipped'
  | 'zeroRangesAllowAny'
  | 'livingDuplicatesWin';

/** Changes of what a node sees and of both modes' rules, sorted by release. */
export const viewGates: Readonly<Record<ViewGateName, ProxyGate>> = {
  hostnameTopology: {
    since: '1.9.0',
    until: '1.23.0',
    reference: '#103306',
    summary: 'The topology of an endpoint names its node if nodeName is absent.',
  },
  balancerIPsOfFamily: {
    since: '1.18.0',
    backports: ['1.17.4'],
    reference: '#87117',
    summary: 'Load balancer addresses of the other family are ignored; before, they were written into rules, which the kernel refused.',
  },
  shortPortNames: {
    since: '1.19.0',
    summary: 'The name of a port without a name is that of its Service; before, it ended with a colon, which changes the names of chains.',
  },
  slicesRead: {
    since: '1.19.0',
    reference: '#92736',
    feature: { name: 'EndpointSliceProxying', earlier: 'EndpointSlice' },
    summary: 'Endpoints of Services come from EndpointSlices; before, from Endpoints.',
  },
  trimmedRanges: {
    since: '1.20.0',
    backports: ['1.17.14', '1.18.11', '1.19.4'],
    reference: '#94107',
    summary: 'White space around a source range is removed; before, kube-proxy crashed.',
  },
  clusterIPs: {
    since: '1.20.0',
    reference: '#91824',
    summary:
      'clusterIPs and ipFamilies decide the cluster IP of a family; before, clusterIP did. Slices of the address type IP are ignored.',
  },
  checkedAddresses: {
    since: '1.21.0',
    summary: 'Invalid external addresses and source ranges are ignored; before, they counted as IPv4.',
  },
  unreadyEndpoints: {
    since: '1.21.0',
    reference: '#96371',
    summary: 'Endpoints that are not ready are part of the view, with their conditions; before, they were left out.',
  },
  capitalAuto: {
    since: '1.22.0',
    backports: ['1.21.1'],
    reference: '#100728',
    summary: 'The annotation for hints may be "Auto"; before, only "auto".',
  },
  hostnameIgnored: {
    since: '1.22.0',
    until: '1.23.0',
    untilBackports: ['1.22.11'],
    reference: '#110245',
    summary: 'Topology does not replace nodeName, as in 1.23 and later.',
  },
  duplicatesByPort: {
    since: '1.22.0',
    reference: '#101935',
    summary: 'An address may occur once for each port number; before, once for each port name.',
  },
  topologyKeys: {
    since: '1.22.0',
    until: '1.22.0',
    feature: { name: 'ServiceTopology' },
    summary: 'topologyKeys of a Service select endpoints by the labels of the node.',
  },
  hintsOfReady: {
    since: '1.23.0',
    reference: '#106507',
    summary: 'Only ready endpoints need hints; before, all did.',
  },
  separatePolicies: {
    since: '1.24.0',
    reference: '#106497',
    summary:
      'internalTrafficPolicy applies to cluster IPs, externalTrafficPolicy to other addresses; before, a Local policy applied to all traffic.',
  },
  externalIPs: {
    since: '1.9.0',
    feature: { name: 'AllowServiceExternalIPs' },
    summary: 'External IPs of Services get rules.',
  },
  internalPolicy: {
    since: '1.22.0',
    reference: '#103462',
    feature: { name: 'ServiceInternalTrafficPolicy' },
    summary: 'internalTrafficPolicy applies; before, it was ignored.',
  },
  zoneHints: {
    since: '1.24.0',
    reference: '#108747',
    feature: { name: 'TopologyAwareHints' },
    summary: 'Endpoints with a hint for the zone of the node get its traffic.',
  },
  terminatingFallback: {
    since: '1.26.0',
    reference: '#113363',
    feature: { name: 'ProxyTerminatingEndpoints' },
    summary: 'If no endpoint is ready, terminating endpoints that still serve get traffic.',
  },
  anyHintsMode: {
    since: '1.27.0',
    reference: '#116522',
    summary: 'Any value but "disabled" of either annotation enables hints; before, only "auto" of the older annotation did.',
  },
  externalIPsPolicy: {
    since: '1.29.0',
    reference: '#119150',
    summary: 'externalTrafficPolicy applies to Services of type ClusterIP with external IPs.',
  },
  sourcesAsWritten: {
    since: '1.29.0',
    until: '1.31.0',
    reference: '#120104',
    summary: 'The address that a rule matches as source of an endpoint is written as in the slice; in other releases, in canonical form.',
  },
  ipModes: {
    since: '1.30.0',
    reference: '#123418',
    feature: { name: 'LoadBalancerIPMode' },
    summary: 'Load balancer addresses of ipMode Proxy get no rules; before, ipMode was ignored.',
  },
  parsedServiceIPs: {
    since: '1.30.0',
    reference: '#122630',
    summary: 'External addresses and source ranges of Services are written in canonical form; before, as in the Service.',
  },
  rangeFamilyOfAddress: {
    since: '1.29.0',
    until: '1.30.0',
    summary: 'The address of a source range decides its family; in other releases, the network does. They differ if it is IPv4-mapped.',
  },
  hintsByDefault: {
    since: '1.31.0',
    reference: '#125838',
    feature: { name: 'ServiceTrafficDistribution' },
    summary: 'Hints for zones apply to all Services; before, only to Services with an annotation.',
  },
  parsedEndpointIPs: {
    since: '1.31.0',
    summary: 'Addresses of endpoints are written in canonical form; before, as in the slice.',
  },
  slicesOfFamily: {
    since: '1.33.0',
    summary: 'Slices of the other address family are ignored; before, single endpoints with an address of the other family were.',
  },
  nodeHints: {
    since: '1.34.0',
    reference: '#132127',
    feature: { name: 'PreferSameTrafficDistribution' },
    summary: 'Endpoints with a hint for the node get its traffic.',
  },
  emptyPortsSkipped: {
    since: '1.34.0',
    summary: 'The list of a port without endpoints is absent; before, the list of the policy Cluster was empty.',
  },
  zeroRangesAllowAny: {
    since: '1.34.0',
    reference: '#132722',
    summary: 'A source range that contains all addresses allows any source; before, it got a rule of its own.',
  },
  livingDuplicatesWin: {
    since: '1.36.0',
    reference: '#135593',
    summary:
      'If an address occurs twice, the later endpoint is used unless it is terminating; before, the first, or the last on this node.',
  },
};
