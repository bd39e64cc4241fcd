import type { Trace, TraceItem, TraceNote, TraceStep } from '../../../src/trace/trace.ts';

const note = (code: string, message: string, more: Partial<TraceNote> = {}): TraceNote => ({ code, message, ...more });
const item = (id: string, label: string, ...notes: TraceNote[]): TraceItem => ({ id, label, notes });
const step = (fields: Pick<TraceStep, 'stage' | 'title'> & Partial<TraceStep>): TraceStep => ({
  outcome: 'ok',
  notes: [],
  chosen: [],
  leftOut: [],
  ...fields,
});

const answer = item('record/web.shop.svc.cluster.local/A/10.96.4.17', 'web.shop.svc.cluster.local. 5 IN A 10.96.4.17');
const pods = [1, 2].map((n) =>
  item(`pod/shop/web-${n}`, `web-${n} 10.0.${n}.7:8080`, note('Ready', 'It is ready and in the zone of node n1.')),
);
const fixProbe = 'Let the readiness probe of container "app" use a port on which it listens: 8080.';

const nameStep = step({
  stage: 'name',
  title: 'web.shop',
  notes: [note('SearchPath', 'The pod uses the search path of namespace shop; ndots is 5.', { path: 'pod.spec.dnsPolicy' })],
  chosen: [item('name/web.shop.svc.cluster.local', 'web.shop.svc.cluster.local')],
  leftOut: [item('name/web.shop.shop.svc.cluster.local', 'web.shop.shop.svc.cluster.local', note('NotInZone', 'There is no such name.'))],
});
const recordStep = step({ stage: 'record', title: 'web.shop.svc.cluster.local A', chosen: [answer] });
const serviceStep = step({
  stage: 'service',
  title: 'Service shop/web',
  notes: [
    note('ClusterIP', 'It has the cluster IP 10.96.4.17.', { path: 'service.spec.clusterIP' }),
    note('Port', 'Port http (80/TCP) goes to target port 8080.', { path: 'service.spec.ports[0].targetPort' }),
  ],
});
const policyStep = step({ stage: 'policy', title: 'From node n1', notes: [note('Cluster', 'Endpoints of every node are used.')] });

/** A trace that reaches the Service without problems. */
export const reachedTrace: Trace = {
  target: 'web.shop:http',
  from: 'pod/frontend-1',
  node: 'n1',
  outcome: 'reached',
  headline: 'web.shop:http in a few words',
  verdict: 'web.shop:http leads to 2 pods.',
  steps: [
    nameStep,
    recordStep,
    serviceStep,
    policyStep,
    step({ stage: 'endpoints', title: '2 of 2 endpoints', chosen: pods }),
    step({ stage: 'pod', title: '2 pods', chosen: pods }),
    step({ stage: 'readiness', title: 'All containers are ready' }),
  ],
};

/** A trace in which some pods get no traffic, for different reasons. */
export const degradedTrace: Trace = {
  ...reachedTrace,
  outcome: 'degraded',
  headline: 'web.shop:http in a few words',
  verdict: 'web.shop:http leads to 2 of 5 pods: two are not ready and one is left out by its zone.',
  steps: [
    nameStep,
    recordStep,
    serviceStep,
    policyStep,
    step({
      stage: 'endpoints',
      title: '2 of 5 endpoints',
      outcome: 'warning',
      notes: [note('Hints', 'Hints are used: every ready endpoint names its zones.', { path: 'endpointSlice.endpoints[].hints.forZones' })],
      chosen: pods,
      leftOut: [
        item(
          'pod/shop/web-3',
          'web-3 10.0.3.7:8080',
          note('NotReady', 'It is not ready.', { path: 'endpointSlice.endpoints[2].conditions.ready' }),
        ),
        item(
          'pod/shop/web-4',
          'web-4 10.0.3.8:8080',
          note('NotReady', 'It is not ready.', { path: 'endpointSlice.endpoints[3].conditions.ready' }),
        ),
        item('pod/shop/web-5', 'web-5 [2001:db8:0:1::5]:8080', note('HintsOtherZone', 'Its hints name zone b only; node n1 is in zone a.')),
      ],
    }),
    step({ stage: 'pod', title: '5 pods match the selector', chosen: [...pods, item('pod/shop/web-5', 'web-5')] }),
    step({
      stage: 'readiness',
      title: '2 pods are not ready',
      outcome: 'warning',
      leftOut: [3, 4].map((n) =>
        item(
          `pod/shop/web-${n}`,
          `web-${n}`,
          note('ContainersNotReady', 'Container app is not ready: its readiness probe fails with connection refused.', {
            path: 'pod.status.containerStatuses[0].ready',
            remedy: fixProbe,
          }),
        ),
      ),
    }),
  ],
};

/** A trace to a name that does not exist, so that all later steps are skipped. */
export const unreachableTrace: Trace = {
  target: 'wep.shop',
  from: 'pod/frontend-1',
  outcome: 'unreachable',
  headline: 'web.shop:http in a few words',
  verdict: 'No name that the pod queries exists.',
  steps: [
    step({ stage: 'name', title: 'wep.shop', notes: [note('SearchPath', 'The search path of namespace shop is used.')] }),
    step({
      stage: 'record',
      title: 'wep.shop.svc.cluster.local A',
      outcome: 'error',
      notes: [
        note('ServiceNotFound', 'NXDOMAIN: namespace shop has no Service "wep".', {
          remedy: 'Use "web", or create the Service shop/wep.',
        }),
      ],
      leftOut: ['shop.svc.', 'svc.', ''].map((part) =>
        item(`name/wep.shop.${part}cluster.local`, `wep.shop.${part}cluster.local`, note('NameNotFound', 'There is no such name.')),
      ),
    }),
    ...(['service', 'policy', 'endpoints', 'pod', 'readiness'] as const).map((stage) =>
      step({ stage, title: 'Not reached', outcome: 'skipped', notes: [note('Skipped', 'An earlier step ends the trace.')] }),
    ),
  ],
};

/** A trace without steps. */
export const emptyTrace: Trace = { target: '', outcome: 'unreachable', headline: 'it reaches nothing', verdict: '', steps: [] };

const hostileText =
  '</style></title><script>alert(1)</script><img src=x onerror=alert(2)>" onload="alert(3)\' --> ]]> &amp; \u202egnp\u0000\ud800';

/** A trace in which every text contains markup or control characters, and most texts are very long. */
export const hostileTrace: Trace = {
  target: hostileText,
  from: hostileText,
  node: hostileText,
  outcome: 'degraded',
  headline: 'web.shop:http in a few words',
  verdict: `${hostileText} ${'x'.repeat(5000)}`,
  steps: (['name', 'endpoints'] as const).map((stage) =>
    step({
      stage,
      title: `${hostileText}${'y'.repeat(300)}`,
      outcome: 'warning',
      notes: Array.from({ length: 10 }, () =>
        note(hostileText, `${'word '.repeat(100)}${hostileText}`, { path: `${hostileText}.a`.repeat(9), remedy: hostileText }),
      ),
      chosen: Array.from({ length: 40 }, (_, n) =>
        item(`${hostileText}${n}`, `${hostileText} ${n} 漢字の名前`, note(hostileText, hostileText)),
      ),
      leftOut: Array.from({ length: 5 }, (_, n) =>
        item(`${hostileText}out${n}`, 'z'.repeat(253), note(hostileText, hostileText, { remedy: hostileText })),
      ),
    }),
  ),
};
