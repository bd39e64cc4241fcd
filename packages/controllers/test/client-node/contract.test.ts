import { createApiServer } from '@kube-endpoints/apiserver';
import * as clientNode2 from '@kubernetes/client-node';
import * as clientNode1 from 'client-node-1';
import type { Clock } from 'kube-endpoints/port';
import { describeClientPort, type PortUnderTest } from '../../../../test/contract/port/describe-client-port.ts';
import { createClock, flushPromises, type ManualClock } from '../../../apiserver/test/store/support.ts';
import { type ClientNodePortOptions, createClientNodePort, type KubeConfigLike } from '../../src/client-node/index.ts';

const majors = { 'client-node 1': clientNode1.KubeConfig, 'client-node 2': clientNode2.KubeConfig };

for (const [name, KubeConfig] of Object.entries(majors)) {
  describeClientPort(`over HTTPS with ${name}`, () => createPortOverHttps(new KubeConfig()));
}

describeClientPort('over HTTPS, one connection for all calls', () => createPortOverHttps(new clientNode2.KubeConfig(), { maxSockets: 1 }));

async function createPortOverHttps(
  kubeConfig: KubeConfigLike & { loadFromString(text: string): void },
  options: ClientNodePortOptions = {},
): Promise<PortUnderTest> {
  // The certificate uses the server's time, and the client checks it by the system time.
  const { clock, isDueWithin } = createObservedClock(createClock(Date.now()));
  const server = await createApiServer({
    clock,
    background: false,
    objects: [{ metadata: { name: 'shop' }, apiVersion: 'v1', kind: 'Namespace' }],
  });
  const listening = await server.listen();
  // The controllers of the server itself also schedule work.
  await server.settle();
  kubeConfig.loadFromString(listening.kubeconfig());
  const port = createClientNodePort(kubeConfig, options);
  return {
    port,
    namespace: 'shop',
    compact: () => server.compact(),
    async passTime(milliseconds) {
      // Waits until the server has scheduled the call that is due within this time.
      while (!isDueWithin(milliseconds)) await flushPromises();
      clock.advance(milliseconds);
    },
    async close() {
      port.close();
      await listening.close({ drainMs: 0 });
      await server.close();
    },
  };
}

/** A clock that shows whether a call is due within a given time. */
function createObservedClock(clock: ManualClock): { readonly clock: ManualClock; isDueWithin(milliseconds: number): boolean } {
  const dueTimes = new Set<number[]>();
  const schedule: Clock['schedule'] = (callback, milliseconds) => {
    // An array, so that calls with the same due time are distinct.
    const dueTime = [clock.now() + milliseconds];
    dueTimes.add(dueTime);
    const call = clock.schedule(() => {
      dueTimes.delete(dueTime);
      callback();
    }, milliseconds);
    return {
      cancel() {
        dueTimes.delete(dueTime);
        call.cancel();
      },
    };
  };
  return {
    clock: { ...clock, schedule },
    isDueWithin: (milliseconds) => [...dueTimes].some(([dueTime = 0]) => dueTime <= clock.now() + milliseconds),
  };
}
