import type { EndpointOverrides, OverrideAction, OverrideRule } from '@kube-endpoints/overrides';

/** Rules of every kind in turn. A tenth of them concern the Service under review; half of those change something. */
export function rulesFor(count: number): EndpointOverrides {
  return { rules: Array.from({ length: count }, (_, at) => ruleNumber(at)) };
}

function ruleNumber(at: number): OverrideRule {
  const concerned = at % 10 === 0;
  const services = concerned ? ['web*'] : [`service-${at}`];
  const action = actions[at % actions.length] as OverrideAction;
  const name = `rule-${at}`;
  if (at % 10 === 5) return { name, match: { labels: `team=team-${at},tier!=test` }, action };
  if (at % 10 === 6) return { name, match: { namespaces: [`team-${at}`, 'staging-*'] }, action };
  if (at % 10 === 7)
    return {
      name,
      match: { namespaces: ['shop'], window: { days: ['Sun'], start: `02:${String(at % 60).padStart(2, '0')}`, end: '03:00' } },
      addresses: { ranges: [`10.0.${at}.0/24`] },
      action,
    };
  if (at % 10 === 8) return { name, match: { expression: `object.metadata.name.startsWith("service-${at}")` }, action };
  return { name, match: { namespaces: ['shop'], services }, addresses: { ranges: [`10.${at % 200}.0.0/28`] }, action };
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

/** Endpoints with `count` addresses, of which a fiftieth are not ready, in the order in which controllers write them. */
export function endpointsOf(count: number): Readonly<Record<string, unknown>> {
  const address = (at: number): { readonly ip: string; readonly nodeName: string; readonly targetRef: object } => ({
    ip: `10.${at % 50}.${at >> 8}.${at & 255}`,
    nodeName: `node-${at % 40}`,
    targetRef: { kind: 'Pod', namespace: 'shop', name: `web-${at}`, uid: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` },
  });
  const all = Array.from({ length: count }, (_, at) => at);
  const inOrder = (numbers: readonly number[]): readonly object[] => numbers.map(address).sort((a, b) => (a.ip < b.ip ? -1 : 1));
  const notReady = inOrder(all.filter((at) => at % 50 === 49));
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { namespace: 'shop', name: 'web', labels: { team: 'shop', tier: 'front' } },
    subsets: [
      {
        addresses: inOrder(all.filter((at) => at % 50 !== 49)),
        ...(notReady.length > 0 && { notReadyAddresses: notReady }),
        ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
      },
    ],
  };
}

/** An AdmissionReview as an API server sends it. */
export const reviewOf = (object: Readonly<Record<string, unknown>>, oldObject: Readonly<Record<string, unknown>> = object): object => ({
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
