import { type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { type ControllersOptions, createControllers } from '../../src/controllers/index.ts';
import type { Ownership } from '../../src/election/ownership.ts';
import { createHost, type HostOptions } from '../../src/host/host.ts';

/** A port that is never called. */
const unusedPort = { list: () => undefined, watch: () => undefined } as unknown as ClientPort;

test.each<[string, Partial<HostOptions>]>([
  ['identity is missing: give a string unique to this process', { leaderElection: {} }],
  ['leaderElection and shards exclude each other: give one of them', { identity: 'a', leaderElection: {}, shards: {} }],
  ['workers is 0: give a whole number of at least 1', { workers: 0 }],
  [
    'renewDeadline is 10000: make it greater than 1.2 times retryPeriod (20000)',
    { identity: 'a', leaderElection: { retryPeriod: 20_000 } },
  ],
])('createHost throws a RangeError: %s', (message, options) => {
  expect(() => createHost({ port: unusedPort, ...options })).toThrow(message);
});

describe('values that bypass the type checker', () => {
  const toPod = () => undefined;
  test.each<[string, unknown]>([
    ['options is undefined: give an object with at least a port', undefined],
    ['port is undefined: give a ClientPort', {}],
    ['port has no function list: give a ClientPort', { port: {} }],
    ['leasePort is "x": give a ClientPort', { port: unusedPort, leasePort: 'x' }],
    ['drainTimeout is NaN: give a number of milliseconds of 0 or more', { port: unusedPort, drainTimeout: Number.NaN }],
    ['drainTimeout is -1: give a number', { port: unusedPort, drainTimeout: -1 }],
    ['drainTimeout is "x": give a number', { port: unusedPort, drainTimeout: 'x' }],
    ['namespace is 5: give a DNS subdomain name', { port: unusedPort, namespace: 5 }],
    ['namespace is "": give a DNS subdomain name', { port: unusedPort, namespace: '' }],
    ['namespace is "Foo": give a DNS subdomain name', { port: unusedPort, namespace: 'Foo' }],
    ['onEvent is 5: give a function', { port: unusedPort, onEvent: 5 }],
    ['random is 0.5: give a function', { port: unusedPort, random: 0.5 }],
    ['clock has no function elapsed: give a SteadyClock', { port: unusedPort, clock: { now: () => 0 } }],
    ['leaderElection is true: give an object, {} for the defaults', { port: unusedPort, identity: 'a', leaderElection: true }],
    ['shards is "group": give an object', { port: unusedPort, identity: 'a', shards: 'group' }],
    ['serviceLoadBalancer is true: give an object', { port: unusedPort, serviceLoadBalancer: true }],
    ['workloads is true: give an object with a resource and the function toPod', { port: unusedPort, workloads: true }],
    ['workloads has no function toPod', { port: unusedPort, workloads: { resource: resources.pods } }],
    ['workloads.resource is undefined: give a Resource', { port: unusedPort, workloads: { toPod } }],
    ['workloads.resource is {"plural":"pods"}: give a Resource', { port: unusedPort, workloads: { toPod, resource: { plural: 'pods' } } }],
  ])('are rejected by createHost: %s', (message, options) => {
    expect(() => createHost(options as HostOptions)).toThrow(RangeError);
    expect(() => createHost(options as HostOptions)).toThrow(message);
  });

  test('are rejected by createControllers, too', () => {
    expect(() => createControllers({ port: unusedPort, ownership: {} as Ownership })).toThrow('ownership has no function owns');
    expect(() => createControllers({} as ControllersOptions)).toThrow('port is undefined');
  });
});
