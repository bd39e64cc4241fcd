import type { Container, ContainerPort, Node, Pod, Service, ServicePort } from '../../../src/types/index.ts';

/** A map of a YAML file. */
export type Fields = Readonly<Record<string, unknown>>;

/** @throws Error naming an unknown key */
export function checkKeys(location: string, fields: Fields, knownKeys: readonly string[]): void {
  for (const key of Object.keys(fields)) {
    if (!knownKeys.includes(key)) throw new Error(`${location}: unknown key "${key}"; known are ${knownKeys.join(', ')}`);
  }
}

const metadataKeys = [
  'name',
  'namespace',
  'uid',
  'labels',
  'annotations',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'ownerReferences',
];
const serviceKeys = ['selector', 'type', 'clusterIP', 'ipFamilies', 'ports', 'publishNotReadyAddresses', 'trafficDistribution'];
const podSpecKeys = ['nodeName', 'hostname', 'subdomain', 'restartPolicy', 'containers', 'initContainers'];
const podStatusKeys = ['phase', 'podIP', 'podIPs', 'conditions'];
const podShortKeys = ['ip', 'ready', 'ports', 'sidecarPorts', 'count'];

const pick = (fields: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => keys.includes(key)));

/** The fields of a short form that belong to ObjectMeta. */
export const pickMetadata = (fields: Fields): Fields => pick(fields, metadataKeys);

/** The parts of a port such as "http:8080/TCP", or ":8080/TCP" without a name. */
export interface PortText {
  readonly name?: string;
  readonly number: string;
  readonly protocol?: string;
}

/** @throws Error if the text is not a port */
export function parsePort(text: unknown): PortText {
  const [, name, number, protocol] = /^([^:]*):(\S+?)(?:\/([A-Z]+))?$/.exec(String(text)) ?? [];
  if (number === undefined) throw new Error(`"${String(text)}" is no port: write NAME:NUMBER/PROTOCOL, or :NUMBER/PROTOCOL`);
  return { ...(name && { name }), number, ...(protocol && { protocol }) };
}

function toServicePort(port: unknown): ServicePort {
  if (typeof port !== 'string') return port as ServicePort;
  const [servicePart = '', target = ''] = port.split(' -> ');
  const { name, number, protocol } = parsePort(`${servicePart}/${target.split('/')[1] ?? 'TCP'}`);
  const targetPort = target.split('/')[0] ?? '';
  return { ...(name && { name }), port: Number(number), protocol, targetPort: /^\d+$/.test(targetPort) ? Number(targetPort) : targetPort };
}

/** A Service "shop/web" that selects app=web and maps port 80 to 8080. The given fields replace these defaults. */
export function toService(fields: Fields = {}): Service {
  checkKeys('service', fields, [...metadataKeys, ...serviceKeys]);
  const spec = pick(fields, serviceKeys);
  const ports = Array.isArray(spec['ports']) ? spec['ports'].map(toServicePort) : spec['ports'];
  return {
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-web', ...pickMetadata(fields) },
    spec: {
      selector: { app: 'web' },
      clusterIP: '10.96.0.1',
      ipFamilies: ['IPv4'],
      ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 }],
      ...spec,
      ...('ports' in spec && { ports: ports as ServicePort[] }),
    },
  };
}

const containerWith = (ports: unknown): Container => ({
  ports: (ports as string[]).map(parsePort).map(
    ({ name, number, protocol }): ContainerPort => ({
      ...(name && { name }),
      containerPort: Number(number),
      ...(protocol && { protocol }),
    }),
  ),
});

/** A running, ready pod "shop/a" of node n1 with the label app=web and the IP 10.0.0.1; see README.md for the short forms. */
export function toPod(fields: Fields): Pod {
  checkKeys('pod', fields, [...metadataKeys, ...podSpecKeys, ...podStatusKeys, ...podShortKeys]);
  const { name = 'a', ip = '10.0.0.1', ready = true, ports, sidecarPorts } = fields;
  const ips = [ip].flat() as string[];
  return {
    metadata: { name: name as string, namespace: 'shop', uid: `uid-${String(name)}`, labels: { app: 'web' }, ...pickMetadata(fields) },
    spec: {
      nodeName: 'n1',
      ...(ports !== undefined && { containers: [containerWith(ports)] }),
      ...(sidecarPorts !== undefined && { initContainers: [{ ...containerWith(sidecarPorts), restartPolicy: 'Always' }] }),
      ...pick(fields, podSpecKeys),
    },
    status: {
      phase: 'Running',
      podIP: ips[0] ?? '',
      podIPs: ips.map((each) => ({ ip: each })),
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
      ...pick(fields, podStatusKeys),
    },
  };
}

/** The pods of a row. A pod with `count` is repeated, with consecutive names and IPs. */
export function toPods(list: readonly Fields[]): Pod[] {
  return list.flatMap((fields) => {
    const { count, name = 'p', ip = '10.0.0.0', ...rest } = fields;
    if (count === undefined) return [toPod(fields)];
    const [a = 10, b = 0, c = 0, d = 0] = String(ip).split('.').map(Number);
    return Array.from({ length: Number(count) }, (_, i) => {
      const last = c * 256 + d + i;
      return toPod({ ...rest, name: `${String(name)}${String(i).padStart(4, '0')}`, ip: `${a}.${b}.${last >> 8}.${last & 255}` });
    });
  });
}

/** A ready node with four CPUs; `zone` is its zone label, absent if empty. */
export function toNode(fields: Fields): Node {
  checkKeys('node', fields, ['name', 'zone', 'cpu', 'ready', 'labels']);
  const { name, zone = '', cpu = '4', ready = true, labels } = fields;
  return {
    metadata: {
      name: String(name),
      labels: { ...(zone !== '' && { 'topology.kubernetes.io/zone': String(zone) }), ...(labels as object) },
    },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }], ...(cpu !== '' && { allocatable: { cpu: String(cpu) } }) },
  };
}
