import { describe, expect, it } from 'vitest';
import { createNotesWithCodes, idOfPod } from '../../../src/trace/steps/pods.ts';
import { codesOf, crashingStatus, labelsOf, leftOutOf, makeCluster, makePod, makeService, runTrace, slicesOf, stepOf } from '../shop.ts';

const ip = '10.96.0.10:http';

describe('the pods step', () => {
  it('lists the pods that get traffic, and the other pods with the reasons', () => {
    const pods = [
      makePod('web-1', 1),
      makePod('web-2', 2, { status: crashingStatus }),
      makePod('web-3', 3, { status: { podIP: '', podIPs: [] } }),
      makePod('web-4', 4, { status: { phase: 'Failed' } }),
    ];
    const trace = runTrace(ip, makeCluster([makeService('web')], pods));
    expect([stepOf(trace, 'pod').outcome, codesOf(trace, 'pod'), labelsOf(trace, 'pod')]).toEqual([
      'warning',
      ['PodsWithTraffic'],
      ['web-1 10.1.0.1'],
    ]);
    expect(leftOutOf(trace, 'pod')).toEqual(['web-2 10.1.0.2: PodNotReady', 'web-3: PodHasNoIP', 'web-4: PodTerminal']);
    expect(stepOf(trace, 'pod').notes[0]?.message).toBe('1 pod gets traffic.');
    expect(stepOf(trace, 'pod').leftOut[1]?.notes[0]?.remedy).toContain('kubectl describe pod');
  });

  it('leaves out finished pods without a warning', () => {
    const trace = runTrace(
      ip,
      makeCluster([makeService('web')], [makePod('web-1', 1), makePod('web-2', 2, { status: { phase: 'Failed' } })]),
    );
    expect([trace.outcome, stepOf(trace, 'pod').outcome, leftOutOf(trace, 'pod')]).toEqual(['reached', 'ok', ['web-2: PodTerminal']]);
  });

  it('leaves out pods without the requested port, but not pods that lack only a different port', () => {
    const spec = {
      ports: [
        { name: 'http', port: 80, targetPort: 'http' },
        { name: 'admin', port: 81, targetPort: 'admin' },
      ],
    };
    const containersWithAdminPort = [
      {
        name: 'app',
        ports: [
          { name: 'http', containerPort: 8080 },
          { name: 'admin', containerPort: 81 },
        ],
      },
    ];
    const objects = makeCluster(
      [makeService('web', spec)],
      [makePod('web-1', 1), makePod('web-2', 2, { spec: { containers: containersWithAdminPort } })],
    );
    expect([runTrace(ip, objects).outcome, leftOutOf(runTrace(ip, objects), 'pod')]).toEqual(['reached', []]);
    const trace = runTrace('10.96.0.10:admin', objects);
    expect([trace.outcome, leftOutOf(trace, 'pod')]).toEqual(['degraded', ['web-1 10.1.0.1: PortNotFound']]);
    expect(trace.verdict).toContain('web-1 is not an endpoint: no container has a port named "admin"');
  });

  it('leaves out pods that are in no slice, and reports the cause', () => {
    const podOnMissingNode = makePod('web-2', 2, { spec: { nodeName: 'n7' } });
    const missingNodeTrace = runTrace(ip, makeCluster([makeService('web')], [makePod('web-1', 1), podOnMissingNode]));
    expect([missingNodeTrace.outcome, leftOutOf(missingNodeTrace, 'pod')]).toEqual(['degraded', ['web-2 10.1.0.2: NodeMissing']]);
    expect(missingNodeTrace.verdict).toContain(
      'with problems: web-2 is not an endpoint: the pod\'s node "n7" does not exist (nodes in the cluster: 3)',
    );
    const pods = [makePod('web-1', 1), makePod('web-2', 2)];
    const outdatedSlicesTrace = runTrace(
      ip,
      makeCluster([makeService('web')], pods, { slices: slicesOf(makeService('web'), pods.slice(0, 1)) }),
    );
    expect([leftOutOf(outdatedSlicesTrace, 'pod'), codesOf(outdatedSlicesTrace, 'endpoints')]).toEqual([
      ['web-2 10.1.0.2: PodInNoSlice'],
      ['SlicesMissEndpoints'],
    ]);
  });

  it('fails if the selector matches no pod', () => {
    const trace = runTrace(ip, makeCluster([makeService('web')], [makePod('other-1', 1)]));
    expect([stepOf(trace, 'pod').outcome, codesOf(trace, 'pod')]).toEqual(['error', ['SelectorMatchesNothing']]);
  });

  it('warns if no container declares the target port', () => {
    const pod = makePod('web-1', 1, { spec: { nodeName: 'n1', containers: [{ name: 'web', ports: [{ containerPort: 3000 }] }] } });
    const trace = runTrace(ip, makeCluster([makeService('web')], [pod]));
    expect([trace.outcome, stepOf(trace, 'pod').outcome, codesOf(trace, 'pod')[0]]).toEqual([
      'degraded',
      'warning',
      'TargetPortUndeclared',
    ]);
    expect(trace.verdict).toContain(
      'no selected pod declares the target port 8080/TCP of the Service port http; the containers declare 3000/TCP',
    );
  });

  it('counts endpoints whose pods are unknown', () => {
    const objects = makeCluster([makeService('web')], [makePod('web-1', 1), makePod('web-2', 2)]);
    const trace = runTrace(ip, { ...objects, pods: objects.pods.slice(0, 1) });
    expect(stepOf(trace, 'pod').notes.at(-1)).toMatchObject({
      code: 'PodUnknown',
      message: expect.stringContaining('No pod is known for 1 endpoint'),
    });
    expect(codesOf(trace, 'endpoints')).toEqual(['SlicesHaveExtraEndpoints']);
  });

  it('lists the pods of the endpoints of a Service without a selector', () => {
    const web = makeService('web');
    const objects = makeCluster([web], [makePod('web-1', 1)]);
    const trace = runTrace(ip, { ...objects, services: [makeService('web', { selector: null })] });
    expect(stepOf(trace, 'pod')).toMatchObject({ title: 'Pods behind the endpoints', outcome: 'ok', chosen: [{ id: 'pod/shop/web-1' }] });
  });
});

it('idOfPod returns the id of a pod, and createNotesWithCodes selects reasons by code', () => {
  const reasons = [
    { code: 'PodNotReady', message: 'It is not.', path: 'pod.status' },
    { code: 'ContainerWaiting', message: 'It waits.', path: 'pod.status.containerStatuses[0]' },
  ] as const;
  const pod = { namespace: 'shop', name: 'web-1', selected: true, included: true, ready: false, ports: [], reasons };
  expect(idOfPod(pod)).toBe('pod/shop/web-1');
  expect(createNotesWithCodes(pod, new Set(['ContainerWaiting'])).map(({ message }) => message)).toEqual(['It waits.']);
});
