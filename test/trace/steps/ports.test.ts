import { describe, expect, it } from 'vitest';
import { choosePort, createPortItem, describePort, findPort, isNumber, portsOf } from '../../../src/trace/steps/ports.ts';
import { parseTarget } from '../../../src/trace/target.ts';
import { makePod, makeService, slicesOf } from '../shop.ts';

const dns = makeService('dns', {
  ports: [
    { name: 'dns', port: 53, protocol: 'UDP' },
    { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 'dns', nodePort: 30053 },
    { name: 'metrics', port: 9153, protocol: 'TCP', targetPort: 8080 },
  ],
});
const choose = (text: string, service = dns, role: 'cluster' | 'nodePort' = 'cluster') =>
  choosePort(parseTarget(text), service, { role, slices: slicesOf(service, [makePod('dns-1', 1), makePod('web-1', 2)]) });
const summarizeChoice = (...args: Parameters<typeof choose>) => {
  const { port, notes } = choose(...args);
  return [port && describePort(port), ...notes.map(({ code }) => code)];
};

it('findPort finds the port in the target, if the Service has it', () => {
  const findName = (text: string, role: 'cluster' | 'nodePort' = 'cluster') => findPort(parseTarget(text), dns, role)?.name;
  expect(['dns', 'dns:dns', 'dns:53', 'dns:53/UDP'].map((text) => findName(text))).toEqual(['dns', 'dns', 'dns-tcp', 'dns']);
  expect([findName('dns:30053', 'nodePort'), findName('dns:30053'), findName('dns:9153/UDP')]).toEqual(['dns-tcp', undefined, undefined]);
});

describe('choosePort', () => {
  it.each([
    ['dns:dns', 'dns 53/UDP', 'PortOfName'],
    ['dns:53', 'dns-tcp 53/TCP', 'PortOfNumber'],
    ['dns:53/UDP', 'dns 53/UDP', 'PortOfNumber'],
    ['dns:9153', 'metrics 9153/TCP', 'PortOfNumber'],
    ['dns', 'dns 53/UDP', 'FirstPort'],
    ['dns/UDP', 'dns 53/UDP', 'OnlyPort'],
  ])('resolves %s to %s', (text, port, code) => {
    expect(summarizeChoice(text)).toEqual([port, code]);
  });

  it('finds a node port by its number', () => {
    expect(summarizeChoice('10.0.0.1:30053', dns, 'nodePort')).toEqual(['dns-tcp 53/TCP', 'PortOfNumber']);
    expect(summarizeChoice('10.0.0.1:53', dns, 'nodePort')).toEqual([undefined]);
  });

  it('lists the ports of the Service if the requested one does not exist', () => {
    expect(choose('dns:80').problem).toMatchObject({
      code: 'ServicePortNotFound',
      message: 'Service shop/dns has no port 80; it has dns 53/UDP, dns-tcp 53/TCP, metrics 9153/TCP.',
      remedy: 'Use dns:53.',
    });
    expect(choose('dns:53/SCTP').problem).toMatchObject({ message: expect.stringContaining('has no port 53/SCTP') });
    expect(choose('dns/SCTP').problem?.code).toBe('ServicePortNotFound');
  });

  it('recognizes a request for a target port, by number or by resolved name', () => {
    expect(choose('dns:8080').problem).toMatchObject({ code: 'ServicePortIsTargetPort', remedy: 'Use dns:9153.' });
    const namedPortService = makeService('web', { ports: [{ name: 'http', port: 80, targetPort: 'http' }] });
    expect(choose('web:8080', namedPortService).problem).toMatchObject({ code: 'ServicePortIsTargetPort', remedy: 'Use web:80.' });
    expect(choose('[fd00::1]:8080', namedPortService).problem).toMatchObject({ remedy: 'Use [fd00::1]:80.' });
  });

  it('reports a Service without ports', () => {
    expect(choose('web', makeService('web', { ports: [] })).problem?.code).toBe('ServiceHasNoPort');
    expect(choose('web', { metadata: { name: 'web' } }).problem?.code).toBe('ServiceHasNoPort');
  });
});

it("portsOf applies the API server's defaults", () => {
  expect(portsOf(makeService('web', { ports: [{ port: 80 }] }))).toEqual([
    { name: '', number: 80, protocol: 'TCP', targetPort: 80, nodePort: 0 },
  ]);
});

it('createPortItem names a port of a Service, and isNumber distinguishes numbers from names', () => {
  const [port] = portsOf(dns);
  expect(port && createPortItem(dns, port)).toEqual({ id: 'port/shop/dns:dns/UDP', label: 'dns 53/UDP', notes: [] });
  expect([isNumber('80'), isNumber('http')]).toEqual([true, false]);
});
