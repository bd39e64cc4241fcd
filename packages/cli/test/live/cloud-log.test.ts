import type { TcpCloudEvent } from '@kube-endpoints/controllers/clouds';
import { expect, test } from 'vitest';
import { createTcpCloudObserver } from '../../src/live/cloud.ts';

const reference = { namespace: 'shop', name: 'web', uid: 'u' };
const name = '"namespace":"shop","name":"web"';

test.each<[TcpCloudEvent, string]>([
  [
    { kind: 'listening', reference, address: '127.0.77.1', ports: ['80/TCP'] },
    `info load balancer is listening {${name},"address":"127.0.77.1","ports":["80/TCP"]}`,
  ],
  [{ kind: 'deleted', reference, connections: 2 }, `info load balancer deleted {${name},"connections":2}`],
  [
    { kind: 'nodeFailed', reference, node: 'n', problem: 'p' },
    `warn node accepts no connection, avoiding it for a while {${name},"node":"n","problem":"p"}`,
  ],
  [{ kind: 'health', reference, node: 'n', healthy: true }, `info node is healthy {${name},"node":"n"}`],
  [{ kind: 'health', reference, node: 'n', healthy: false }, `info node is not healthy {${name},"node":"n"}`],
  [{ kind: 'withoutAddress', reference, nodes: ['n'] }, `warn nodes have no InternalIP {${name},"nodes":["n"]}`],
  [
    { kind: 'refused', reference, client: '127.0.0.1', reason: 'noNode' },
    `debug connection refused: no node accepts it {${name},"client":"127.0.0.1"}`,
  ],
])('createTcpCloudObserver logs %j', (event, line) => {
  const lines: string[] = [];
  createTcpCloudObserver({ log: (level, message, fields) => void lines.push(`${level} ${message} ${JSON.stringify(fields)}`) })(event);
  expect(lines).toEqual([line]);
});
