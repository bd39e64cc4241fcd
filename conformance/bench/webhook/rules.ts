import type { EndpointOverrides, OverrideAction, OverrideRule } from '@kube-endpoints/overrides';

/** Creates rules with every kind of match and every action in turn. Every tenth rule matches the Service `web`; only rule-0 changes it. */
export function createRules(count: number): EndpointOverrides {
  return { rules: Array.from({ length: count }, (_, index) => createRule(index)) };
}

function createRule(index: number): OverrideRule {
  const matchesService = index % 10 === 0;
  const services = matchesService ? ['web*'] : [`service-${index}`];
  const action = actions[index % actions.length] as OverrideAction;
  const name = `rule-${index}`;
  if (index % 10 === 5) return { name, match: { labels: `team=team-${index},tier!=test` }, action };
  if (index % 10 === 6) return { name, match: { namespaces: [`team-${index}`, 'staging-*'] }, action };
  if (index % 10 === 7)
    return {
      name,
      match: { namespaces: ['shop'], window: { days: ['Sun'], start: `02:${String(index % 60).padStart(2, '0')}`, end: '03:00' } },
      addresses: { ranges: [`10.0.${index}.0/24`] },
      action,
    };
  if (index % 10 === 8) return { name, match: { expression: `object.metadata.name.startsWith("service-${index}")` }, action };
  return { name, match: { namespaces: ['shop'], services }, addresses: { ranges: [`10.${index % 200}.0.0/28`] }, action };
}

const actions: readonly OverrideAction[] = [
  { keepOut: {} },
  { keepOut: { as: 'absent' } },
  { keepReady: { atLeast: '50%' } },
  { hold: { afterUnready: 10 } },
  { drop: { presets: ['loopback', 'link-local'] } },
  { keepIn: {} },
  { move: { to: 'notReady' } },
];

/** Creates Endpoints with `count` addresses, every fiftieth of them not ready, in the order in which controllers write them. */
export function createEndpoints(count: number): Readonly<Record<string, unknown>> {
  const address = (index: number): { readonly ip: string; readonly nodeName: string; readonly targetRef: object } => ({
    ip: `10.${index % 50}.${index >> 8}.${index & 255}`,
    nodeName: `node-${index % 40}`,
    targetRef: { kind: 'Pod', namespace: 'shop', name: `web-${index}`, uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}` },
  });
  const indexes = Array.from({ length: count }, (_, index) => index);
  const createSortedAddresses = (numbers: readonly number[]): readonly object[] =>
    numbers.map(address).sort((a, b) => (a.ip < b.ip ? -1 : 1));
  const notReady = createSortedAddresses(indexes.filter((index) => index % 50 === 49));
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { namespace: 'shop', name: 'web', labels: { team: 'shop', tier: 'front' } },
    subsets: [
      {
        addresses: createSortedAddresses(indexes.filter((index) => index % 50 !== 49)),
        ...(notReady.length > 0 && { notReadyAddresses: notReady }),
        ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
      },
    ],
  };
}

/** Creates an AdmissionReview as an API server sends it. */
export const createReview = (object: Readonly<Record<string, unknown>>, oldObject: Readonly<Record<string, unknown>> = object): object => ({
  kind: 'AdmissionReview',
  apiVersion: 'admission.k8s.io/v1',
  request: {
    uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
    kind: { group: '', version: 'v1', kind: 'Endpoints' },
    resource: { group: '', version: 'v1', resource: 'endpoints' },
    requestKind: { group: '', version: 'v1', kind: 'Endpoints' },
    requestResource: { group: '', version: 'v1', resource: 'endpoints' },
    name: 'web',
    namespace: 'shop',
    operation: 'UPDATE',
    userInfo: {
      username: 'system:serviceaccount:kube-system:endpoint-controller',
      uid: '8e7c1d0a-0c64-4a8b-9c52-4b8b4b3cf3a0',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
    },
    object,
    oldObject,
    dryRun: false,
    options: { kind: 'UpdateOptions', apiVersion: 'meta.k8s.io/v1' },
  },
});
