import { describe, expect, it } from 'vitest';
import { nftablesRules } from '../../../src/proxy/index.ts';
import { createNftablesProgram } from '../../../src/proxy/nftables/program.ts';
import { makeNodeView, makeWebService, node, portOf } from '../fixtures.ts';
import { apply } from './fake-nft.ts';

describe('createNftablesProgram', () => {
  it('updates the table if a port is set or deleted', () => {
    const program = createNftablesProgram(node, 'IPv4');
    const endpoints = [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }];
    program.set(portOf(makeWebService(), endpoints));
    const table = apply(undefined, program.sync());
    expect(table).toEqual(nftablesRules(makeNodeView(makeWebService(), endpoints), node));
    program.delete(portOf(makeWebService(), []));
    expect(apply(table, program.sync())).toEqual(nftablesRules({ ...makeNodeView(makeWebService(), []), ports: [] }, node));
    program.delete(portOf(makeWebService(), []));
    expect(program.sync().commands).toEqual([]);
  });

  it('moves a shared address to the next Service if the first is deleted', () => {
    const program = createNftablesProgram(node, 'IPv4');
    const portWithSharedIP = (name: string) =>
      portOf(makeWebService({ externalIPs: ['198.51.100.1'], clusterIP: name === 'a' ? '10.96.0.1' : '10.96.0.2' }, undefined, name), []);
    program.set(portWithSharedIP('b'));
    program.set(portWithSharedIP('a'));
    let table = apply(undefined, program.sync());
    const comment = () => table.maps.flatMap(({ elements }) => elements).find(({ key }) => key.startsWith('198.51.100.1'))?.comment;
    expect(comment()).toBe('shop/a:http');
    program.delete(portWithSharedIP('a'));
    table = apply(table, program.sync());
    expect(comment()).toBe('shop/b:http');
    program.set(portWithSharedIP('a'));
    table = apply(table, program.sync());
    expect(comment()).toBe('shop/a:http');
    expect(table).toEqual(program.rules());
  });

  it('writes only the changes', () => {
    const program = createNftablesProgram(node, 'IPv4');
    for (let i = 0; i < 500; i++)
      program.set({ ...portOf(makeWebService({ clusterIP: `10.96.${i >> 8}.${i & 255}` }), [{ ip: '10.0.0.1' }]), service: `s${i}` });
    const initialCommandCount = program.sync().commands.length;
    program.set({ ...portOf(makeWebService({ clusterIP: '10.96.0.7' }), [{ ip: '10.0.0.2' }]), service: 's7' });
    expect(program.sync().commands.length * 100).toBeLessThan(initialCommandCount);
  });
});
