import { describe, expect, it } from 'vitest';
import { loadBalancerSettings } from '../../src/load-balancer/gates.ts';
import { CloudError } from '../../src/load-balancer/index.ts';
import { updateHosts } from '../../src/load-balancer/node-sync.ts';
import { createFailingAnswer, play } from './script.ts';
import { makeNode, makeService } from './services.ts';

const nodes = (count: number) => Array.from({ length: count }, (_, at) => makeNode(`n${10 + at}`));
const update = (count: number, script = {}, version?: string) =>
  play(updateHosts(makeService(), nodes(count), loadBalancerSettings({ version })), script);
const failingUpdate = { update: createFailingAnswer(new Error('down')) };

describe('updateHosts', () => {
  it('updates the nodes, and reports success in an Event', () => {
    expect(update(2)).toEqual({
      log: ['update n10 n11', 'Normal UpdatedLoadBalancer: Updated load balancer with new hosts'],
      result: false,
    });
  });

  it('warns if no nodes are left', () => {
    expect(update(0).log).toEqual(['update', 'Warning UnAvailableLoadBalancer: There are no available nodes for LoadBalancer']);
  });

  it('requests a retry after a failure, unless the load balancer is known to be absent', () => {
    const text = 'Error updating load balancer with new hosts [n10 n11] [node names limited, total number of nodes: 2], error: down';
    for (const script of [failingUpdate, { ...failingUpdate, get: createFailingAnswer(new Error('down, too')) }]) {
      expect(update(2, script)).toEqual({ log: ['update n10 n11', 'get', `Warning UpdateLoadBalancerFailed: ${text}`], result: true });
    }
  });

  it('requests no retry if there is no load balancer, or another controller manages it', () => {
    expect(update(1, { ...failingUpdate, get: () => undefined })).toEqual({ log: ['update n10', 'get'], result: false });
    expect(update(1, { update: createFailingAnswer(new CloudError('Elsewhere', 'not here')) })).toEqual({
      log: ['update n10'],
      result: false,
    });
  });

  it('names twenty nodes in the failure Event, and all of them up to 1.28', () => {
    expect(update(22, failingUpdate).log.at(-1)).toMatch(
      /hosts \[n10 .* n29 <2 more>\] \[node names limited, total number of nodes: 22\], error: down$/,
    );
    expect(update(20, failingUpdate).log.at(-1)).toMatch(/ n29\] /);
    expect(update(22, failingUpdate, '1.28').log.at(-1)).toMatch(/hosts map\[n10:\{\} .* n31:\{\}\]: down$/);
  });
});
