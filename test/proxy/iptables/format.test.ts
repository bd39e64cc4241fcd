import { describe, expect, it } from 'vitest';
import { diffIptables, formatIptables, formatIptablesTransaction } from '../../../src/proxy/index.ts';
import { makeWebService, rulesFor } from './fixtures.ts';

const rules = rulesFor(makeWebService(), [{ ip: '10.1.0.1' }]);

describe('formatIptables', () => {
  it('writes a block for each table: chains, then rules, then jumps', () => {
    const lines = formatIptables(rules).trimEnd().split('\n');
    const lineKinds = lines.map((line) => /^(?:\*\w+|COMMIT|:|-\w)/.exec(line)?.[0]);
    expect(lineKinds.filter((kind, index) => kind !== lineKinds[index - 1])).toEqual([
      '*filter',
      ':',
      '-A',
      '-I',
      'COMMIT',
      '*nat',
      ':',
      '-A',
      '-I',
      'COMMIT',
    ]);
    expect(lines).toContain(':KUBE-SERVICES - [0:0]');
    expect(lines).toContain('-I PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES');
  });

  it('declares every chain that it uses', () => {
    const text = formatIptables(rules);
    const declared = new Set(Array.from(text.matchAll(/^:(\S+)/gm), ([, name]) => name));
    const usedChains = Array.from(text.matchAll(/-[jA] (KUBE-\S+)/g), ([, name]) => name);
    expect(usedChains.filter((name) => !declared.has(name))).toEqual([]);
  });

  it("without jumps, omits the kubelet's chain unless the rules use it", () => {
    const text = formatIptables(rules, { jumps: false });
    expect(text).not.toContain('-I ');
    expect(text).not.toContain('KUBE-FIREWALL');
    expect(formatIptables(rulesFor(makeWebService(), [], { localhostNodePorts: true }), { jumps: false })).toContain(
      ':KUBE-FIREWALL - [0:0]\n',
    );
  });
});

describe('formatIptablesTransaction', () => {
  it('returns an empty string if nothing changes', () => {
    expect(formatIptablesTransaction(diffIptables(rules, rules))).toBe('');
  });

  it('deletes references to a chain before the chain', () => {
    const text = formatIptablesTransaction(diffIptables(rules, rulesFor(makeWebService(), [])));
    const [filter = '', nat = ''] = text.split('*nat\n');
    expect(filter).toMatch(/^\*filter\n-I KUBE-SERVICES .* -j REJECT\nCOMMIT\n$/);
    const lines = nat.trimEnd().split('\n');
    expect(lines.at(-1)).toBe('COMMIT');
    expect(lines.slice(0, -1).map((line) => line.slice(0, 2))).toEqual([':K', ':K', '-D', '-X', '-X']);
  });
});
