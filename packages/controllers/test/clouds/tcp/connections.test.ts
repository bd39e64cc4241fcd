import { describe, expect, it } from 'vitest';
import { createConnections } from '../../../src/clouds/tcp/connections.ts';
import type { ForwardedConnection } from '../../../src/clouds/tcp/forward.ts';
import { createClock } from '../../queue/clock.ts';

function createConnection(node?: string): ForwardedConnection & { destroyed: boolean } {
  const target = node === undefined ? undefined : { node, address: '10.0.0.1', port: 80 };
  return {
    target,
    destroyed: false,
    destroy() {
      this.destroyed = true;
    },
  };
}

describe('createConnections', () => {
  it('counts connections per node and against a shared budget', () => {
    const budget = { max: 3, used: 0 };
    const [first, second] = [createConnections(budget), createConnections(budget)];
    const connectionA = createConnection('a');
    first.add(connectionA, 'x:80');
    first.add(createConnection('a'), 'x:80');
    expect([first.hasRoom, second.hasRoom]).toEqual([true, true]);
    second.add(createConnection(), 'y:80');
    expect([first.hasRoom, second.hasRoom]).toEqual([false, false]);
    expect([...first.countByNode()]).toEqual([['a', 2]]);
    expect([...second.countByNode()]).toEqual([]);
    first.delete(connectionA);
    first.delete(connectionA);
    expect([first.size, budget.used, second.hasRoom]).toEqual([1, 2, true]);
  });

  it('resolves waitUntilIdle() once there are no connections', async () => {
    const connections = createConnections({ max: 3, used: 0 });
    await connections.waitUntilIdle();
    const connection = createConnection();
    connections.add(connection, 'x:80');
    let idle = false;
    const waiting = connections.waitUntilIdle().then(() => {
      idle = true;
    });
    await Promise.resolve();
    expect(idle).toBe(false);
    connections.delete(connection);
    await waiting;
    expect(idle).toBe(true);
  });

  it('drains the connections of some listeners, and cancels its timers', () => {
    const clock = createClock();
    const connections = createConnections({ max: 9, used: 0 });
    const [slowConnection, closedConnection, otherListener, laterConnection] = [
      createConnection(),
      createConnection(),
      createConnection(),
      createConnection(),
    ];
    connections.add(slowConnection, 'x:80');
    connections.add(closedConnection, 'x:80');
    connections.add(otherListener, 'x:81');
    connections.drain(new Set(['x:80']), clock, 100);
    connections.drain(new Set(['x:99']), clock, 100);
    connections.add(laterConnection, 'x:80');
    connections.delete(closedConnection);
    expect(clock.scheduled).toBe(1);
    clock.advance(99);
    expect(slowConnection.destroyed).toBe(false);
    clock.advance(1);
    expect([slowConnection, closedConnection, otherListener, laterConnection].map(({ destroyed }) => destroyed)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    connections.delete(slowConnection);
    connections.drain(undefined, clock, 100);
    expect(clock.scheduled).toBe(1);
    connections.delete(otherListener);
    connections.delete(laterConnection);
    expect(clock.scheduled).toBe(0);
    connections.add(otherListener, 'x:81');
    connections.destroy();
    expect(otherListener.destroyed).toBe(true);
  });
});
