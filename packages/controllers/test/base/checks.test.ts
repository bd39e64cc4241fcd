import { type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { type ControllersOptions, createControllers } from '../../src/controllers/index.ts';
import type { Ownership } from '../../src/election/ownership.ts';
import { createHost, type HostOptions } from '../../src/host/host.ts';

/** A port that is never called. */
const noPort = { list: () => undefined, watch: () => undefined } as unknown as ClientPort;

test.each<[string, Partial<HostOptions>]>([
  ['identity is missing: give a string unique to this process', { leaderElection: {} }],
  ['leaderElection and shards exclude each other: give one of them', { identity: 'a', leaderElection: {}, shards: {} }],
  ['workers is 0: give a whole number from 1 on', { workers: 0 }],
  [
    'renewDeadline is 10000: make it greater than 1.2 times retryPeriod (20000)',
    { identity: 'a', leaderElection: { retryPeriod: 20_000 } },
  ],
])('createHost throws a RangeError: %s', (message, options) => {
  expect(() => createHost({ port: noPort, ...options })).toThrow(message);
});

describe('createHost rejects values that bypass the type checker', () => {
  const toPod = () => undefined;
  test.each<[string, unknown]>([
    ['options is undefined: give an object with at least a port', undefined],
    ['port is undefined: give a ClientPort', {}],
    ['port has no function list: give a ClientPort', { port: {} }],
    ['leasePort is "x": give a ClientPort', { port: noPort, leasePort: 'x' }],
    ['drainTimeout is NaN: give a number of milliseconds of 0 or more', { port: noPort, drainTimeout: Number.NaN }],
    ['drainTimeout is -1: give a number', { port: noPort, drainTimeout: -1 }],
    ['drainTimeout is "x": give a number', { port: noPort, drainTimeout: 'x' }],
    ['namespace is 5: give a DNS subdomain name', { port: noPort, namespace: 5 }],
    ['namespace is "": give a DNS subdomain name', { port: noPort, namespace: '' }],
    ['namespace is "Foo": give a DNS subdomain name', { port: noPort, namespace: 'Foo' }],
    ['onEvent is 5: give a function', { port: noPort, onEvent: 5 }],
    ['random is 0.5: give a function', { port: noPort, random: 0.5 }],
    ['clock has no function elapsed: give a SteadyClock', { port: noPort, clock: { now: () => 0 } }],
    ['leaderElection is true: give an object, {} for the defaults', { port: noPort, identity: 'a', leaderElection: true }],
    ['shards is "group": give an object', { port: noPort, identity: 'a', shards: 'group' }],
    ['serviceLoadBalancer is true: give an object', { port: noPort, serviceLoadBalancer: true }],
    ['workloads is true: give an object with a resource and the function toPod', { port: noPort, workloads: true }],
    ['workloads has no function toPod', { port: noPort, workloads: { resource: resources.pods } }],
    ['workloads.resource is undefined: give a Resource', { port: noPort, workloads: { toPod } }],
    ['workloads.resource is {"plural":"pods"}: give a Resource', { port: noPort, workloads: { toPod, resource: { plural: 'pods' } } }],
  ])('%s', (message, options) => {
    expect(() => createHost(options as HostOptions)).toThrow(RangeError);
    expect(() => createHost(options as HostOptions)).toThrow(message);
  });

  test('createControllers rejects the same values as createHost', () => {
    expect(() => createControllers({ port: noPort, ownership: {} as Ownership })).toThrow('ownership has no function owns');
    expect(() => createControllers({} as ControllersOptions)).toThrow('port is undefined');
  });
});
