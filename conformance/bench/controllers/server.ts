/**
 * Runs the embedded API server with a cluster in its own process, and observes the controllers that work against it.
 * Usage: server.ts SERVICES PODS_PER_SERVICE KUBECONFIG; controlled by messages.
 */
import type * as ApiServerRoom from '@kube-endpoints/apiserver';
import { createLookout } from './lookout.ts';
import { createStirrer } from './stirrer.ts';
import { objectsOf } from './world.ts';

const { createApiServer } = (await import('@kube-endpoints/apiserver')) as typeof ApiServerRoom;

export type Order = { readonly order: 'await-all' } | { readonly order: 'churn'; readonly perSecond: number; readonly seconds: number };
export type Report =
  | { readonly report: 'listening' }
  | { readonly report: 'complete'; readonly at: number }
  | { readonly report: 'churned'; readonly changes: number; readonly endpoints: readonly number[]; readonly slices: readonly number[] };

const [services = 0, podsPerService = 0] = process.argv.slice(2, 4).map(Number);
const size = { services, podsPerService };
const server = await createApiServer({ background: false, endsPods: false, maxEvents: 400_000, maxEventBytes: 512 * 2 ** 20 });
await server.load([...objectsOf(size)]);
const lookout = await createLookout(server.client, size);
const listening = await server.listen({ port: 0 });
await listening.writeKubeconfig(process.argv[4] as string);
tell({ report: 'listening' });

process.on('message', async (message: Order) => {
  if (message.order === 'await-all') tell({ report: 'complete', at: await lookout.complete() });
  else {
    const stirrer = createStirrer(server.client, size, lookout);
    tell({ report: 'churned', ...(await stirrer.stir(message.perSecond, message.seconds)) });
  }
});
process.on('disconnect', () => process.exit(0));

function tell(report: Report): void {
  process.send?.(report);
}
