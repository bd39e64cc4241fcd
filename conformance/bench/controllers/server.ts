/**
 * Runs the embedded API server with a cluster in its own process, and observes the controllers that work against it.
 * Usage: server.ts SERVICES PODS_PER_SERVICE KUBECONFIG. The parent process controls it by messages.
 */
import type * as ApiServerModule from '@kube-endpoints/apiserver';
import { createChurn } from './churn.ts';
import { createObjects } from './objects.ts';
import { createWriteObserver } from './write-observer.ts';

const { createApiServer } = (await import('@kube-endpoints/apiserver')) as typeof ApiServerModule;

export type Order = { readonly order: 'await-all' } | { readonly order: 'churn'; readonly perSecond: number; readonly seconds: number };
/** `at`: milliseconds since the epoch; `endpoints` and `slices`: delays in milliseconds from each change to the controller's write. */
export type Report =
  | { readonly report: 'listening' }
  | { readonly report: 'complete'; readonly at: number }
  | { readonly report: 'churned'; readonly changes: number; readonly endpoints: readonly number[]; readonly slices: readonly number[] };

const [services = 0, podsPerService = 0] = process.argv.slice(2, 4).map(Number);
const size = { services, podsPerService };
const server = await createApiServer({ background: false, endsPods: false, maxEvents: 400_000, maxEventBytes: 512 * 2 ** 20 });
await server.load([...createObjects(size)]);
const observer = await createWriteObserver(server.client, size);
const listening = await server.listen({ port: 0 });
await listening.writeKubeconfig(process.argv[4] as string);
send({ report: 'listening' });

process.on('message', async (message: Order) => {
  if (message.order === 'await-all') send({ report: 'complete', at: await observer.waitUntilComplete() });
  else {
    const churn = createChurn(server.client, size, observer);
    send({ report: 'churned', ...(await churn.run(message.perSecond, message.seconds)) });
  }
});
process.on('disconnect', () => process.exit(0));

function send(report: Report): void {
  process.send?.(report);
}
