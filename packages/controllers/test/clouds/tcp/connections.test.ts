import { describe, expect, it } from 'vitest';
import { createConnections } from '../../../src/clouds/tcp/connections.ts';
import type { Forwarded } from '../../../src/clouds/tcp/forward.ts';
import { createClock } from '../../queue/clock.ts';

function connection(node?: string): Forwarded & { destroyed: boolean } {
  const target = node === undefined ? undefined : { node, address: '10.0.0.1', port: 80 };
  return {
    target,
    destroyed: false,
    destroy() {
      this.destroyed = true;
    },
  };
}

describe('connections', () => {
  it('are counted per node and against a shared budget', () => {
    const budget = { max: 3, used: 0 };
    const [mine, others] = [createConnections(budget), createConnections(budget)];
    const first = connection('a');
    mine.add(first, 'x:80');
    mine.add(connection('a'), 'x:80');
    expect([mine.hasRoom, others.hasRoom]).toEqual([true, true]);
    others.add(connection(), 'y:80');
    expect([mine.hasRoom, others.hasRoom]).toEqual([false, false]);
    expect([...mine.byNode()]).toEqual([['a', 2]]);
    expect([...others.byNode()]).toEqual([]);
    mine.delete(first);
    mine.delete(first);
    expect([mine.size, budget.used, others.hasRoom]).toEqual([1, 2, true]);
  });

  it('are idle if there are none', async () => {
    const connections = createConnections({ max: 3, used: 0 });
    await connections.idle();
    const one = connection();
    connections.add(one, 'x:80');
    let idle = false;
    const waiting = connections.idle().then(() => {
      idle = true;
    });
    await Promise.resolve();
    expect(idle).toBe(false);
    connections.delete(one);
    await waiting;
    expect(idle).toBe(true);
  });

  it('of given addresses drain for a while and leave no timer', () => {
    const clock = createClock();
    const connections = createConnections({ max: 9, used: 0 });
    const [old, quick, other, late] = [connection(), connection(), connection(), connection()];
    connections.add(old, 'x:80');
    connections.add(quick, 'x:80');
    connections.add(other, 'x:81');
    connections.drain(new Set(['x:80']), clock, 100);
    connections.drain(new Set(['x:99']), clock, 100);
    connections.add(late, 'x:80');
    connections.delete(quick);
    expect(clock.scheduled).toBe(1);
    clock.advance(99);
    expect(old.destroyed).toBe(false);
    clock.advance(1);
    expect([old, quick, other, late].map(({ destroyed }) => destroyed)).toEqual([true, false, false, false]);
    connections.delete(old);
    connections.drain(undefined, clock, 100);
    expect(clock.scheduled).toBe(1);
    connections.delete(other);
    connections.delete(late);
    expect(clock.scheduled).toBe(0);
    connections.add(other, 'x:81');
    connections.destroy();
    expect(other.destroyed).toBe(true);
  });
});
