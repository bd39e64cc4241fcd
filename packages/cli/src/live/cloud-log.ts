import type { TcpHappening } from '@kube-endpoints/controllers/clouds';
import type { Logger } from '@kube-endpoints/controllers/operations';

/** Writes what the load balancers of this process tell of themselves into a log. */
export function tellTcpCloud(logger: Pick<Logger, 'log'>): (happening: TcpHappening) => void {
  const tellers: Tellers = {
    listening: ({ reference, address, ports }) => logger.log('info', 'load balancer listens', { ...nameOf(reference), address, ports }),
    deleted: ({ reference, connections }) => logger.log('info', 'load balancer is gone', { ...nameOf(reference), connections }),
    nodeFailed: ({ reference, node, problem }) =>
      logger.log('warn', 'node takes no connection, is avoided for a while', { ...nameOf(reference), node, problem }),
    health: ({ reference, node, healthy }) =>
      logger.log('info', healthy ? 'node is healthy' : 'node is not healthy', { ...nameOf(reference), node }),
    withoutAddress: ({ reference, nodes }) => logger.log('warn', 'nodes have no InternalIP', { ...nameOf(reference), nodes }),
    refused: ({ reference, client, because }) =>
      logger.log('debug', `connection refused: ${refusals[because]}`, { ...nameOf(reference), client }),
  };
  return (happening) => (tellers[happening.kind] as (given: TcpHappening) => void)(happening);
}

type Of<Kind extends TcpHappening['kind']> = Extract<TcpHappening, { kind: Kind }>;
type Tellers = { readonly [Kind in TcpHappening['kind']]: (happening: Of<Kind>) => void };

const refusals: Readonly<Record<Of<'refused'>['because'], string>> = {
  sourceRanges: 'the client is not of the source ranges',
  tooMany: 'there are too many connections',
  noNode: 'no node takes it',
};

const nameOf = ({ namespace, name }: TcpHappening['reference']): { readonly namespace: string; readonly name: string } => ({
  namespace,
  name,
});
