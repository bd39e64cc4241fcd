import { createApiServer } from '@kube-endpoints/apiserver';
import * as two from '@kubernetes/client-node';
import * as one from 'client-node-1';
import type { Clock } from 'kube-endpoints/port';
import { describeClientPort, type PortUnderTest } from '../../../../test/contract/port/describe-client-port.ts';
import { createClock, type ManualClock, settle } from '../../../apiserver/test/store/support.ts';
import { type ClientNodePortOptions, createClientNodePort, type KubeConfigLike } from '../../src/client-node/index.ts';

const majors = { 'client-node 1': one.KubeConfig, 'client-node 2': two.KubeConfig };

for (const [name, KubeConfig] of Object.entries(majors)) {
  describeClientPort(`over HTTPS with ${name}`, () => overHttps(new KubeConfig()));
}

describeClientPort('over HTTPS, one connection for all calls', () => overHttps(new two.KubeConfig(), { maxSockets: 1 }));

async function overHttps(
  kubeConfig: KubeConfigLike & { loadFromString(text: string): void },
  options: ClientNodePortOptions = {},
): Promise<PortUnderTest> {
  // The certificate uses the server's time, and the client checks it by the system time.
  const { clock, isDueWithin } = watched(createClock(Date.now()));
  const server = await createApiServer({
    clock,
    background: false,
    objects: [{ metadata: { name: 'shop' }, apiVersion: 'v1', kind: 'Namespace' }],
  });
  const listening = await server.listen();
  kubeConfig.loadFromString(listening.kubeconfig());
  const port = createClientNodePort(kubeConfig, options);
  return {
    port,
    namespace: 'shop',
    compact: () => server.compact(),
    async passTime(milliseconds) {
      // A call that is to be late has to have arrived first.
      while (!isDueWithin(milliseconds)) await settle();
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
function watched(clock: ManualClock): { readonly clock: ManualClock; isDueWithin(milliseconds: number): boolean } {
  const due = new Set<number[]>();
  const schedule: Clock['schedule'] = (callback, milliseconds) => {
    const at = [clock.now() + milliseconds];
    due.add(at);
    const call = clock.schedule(() => {
      due.delete(at);
      callback();
    }, milliseconds);
    return {
      cancel() {
        due.delete(at);
        call.cancel();
      },
    };
  };
  return {
    clock: { ...clock, schedule },
    isDueWithin: (milliseconds) => [...due].some(([at = 0]) => at <= clock.now() + milliseconds),
  };
}
