import type { ReasonCode } from '../../src/explain/index.ts';
import type { EndpointsInput, Node, Pod, Service } from '../../src/types/index.ts';
import { makePod, makeService } from '../spec/objects.ts';

/** Objects and the reason that results from them. Defaults: release 1.37, `makeService()`, one `makePod()`. */
export interface ReasonFixture {
  readonly code: ReasonCode;
  readonly version?: string;
  readonly service?: Service;
  readonly pods?: readonly Pod[];
  readonly nodes?: readonly Node[];
  readonly current?: EndpointsInput;
  readonly message: string;
  readonly path: string;
  readonly severity?: 'error' | 'warning' | 'info';
  readonly since?: string;
  readonly until?: string;
}

export const tolerateAnnotation = 'service.alpha.kubernetes.io/tolerate-unready-endpoints';
export const tolerateAnnotationPath: string = `service.metadata.annotations["${tolerateAnnotation}"]`;
export const toleratingService = (value: string): Service => makeService({}, { annotations: { [tolerateAnnotation]: value } });

/** A Service with a named target port, and a pod with that port. */
export const namedPortService: Service = makeService({ ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'web' }] });
export const podWithNamedPort = (name: string): Pod =>
  makePod(name, { spec: { containers: [{ ports: [{ name: 'web', containerPort: 8080, protocol: 'TCP' }] }] } });
export const targetPath = 'service.spec.ports[0].targetPort';

/** More pods than the capacity; the last by name is also the last by IP. */
export const podsOverCapacity: readonly Pod[] = Array.from({ length: 1003 }, (_, i) =>
  makePod(`p${String(i).padStart(4, '0')}`, { ip: `10.0.${100 + (i >> 7)}.${100 + (i & 127)}` }),
);

/** More ready pods than the capacity, and an unready pod with another port, which therefore has its own subset. */
export const podsOverCapacityWithTwoPorts: readonly Pod[] = [
  ...podsOverCapacity.map(
    (pod): Pod => ({ ...pod, spec: { containers: [{ ports: [{ name: 'web', containerPort: 8080, protocol: 'TCP' }] }] } }),
  ),
  makePod('new', {
    ip: '10.0.9.9',
    ready: false,
    spec: { containers: [{ ports: [{ name: 'web', containerPort: 9090, protocol: 'TCP' }] }] },
  }),
];

/** A ready node in a zone, or without a zone if it is empty. */
export const makeNode = (name: string, zone: string, cpu = '4'): Node => ({
  metadata: { name, ...(zone && { labels: { 'topology.kubernetes.io/zone': zone } }) },
  status: { conditions: [{ type: 'Ready', status: 'True' }], ...(cpu && { allocatable: { cpu } }) },
});
