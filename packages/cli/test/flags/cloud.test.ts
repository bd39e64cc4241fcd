import { Command, InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import { addCloudFlags, parseControllerNames, validateCloudFlags } from '../../src/flags/cloud.ts';

describe('the cloud flags', () => {
  const parse = (...flags: string[]): unknown => {
    const command = addCloudFlags(new Command().exitOverride().configureOutput({ writeErr: () => undefined }));
    return command.parse(flags, { from: 'user' }).opts();
  };

  test('are unset by default', () => {
    expect(parse()).toEqual({});
  });

  test.each(['memory', 'tcp', './cloud.js', '../cloud.js', '/etc/cloud.mjs'])('accept --cloud %s', (cloud) => {
    expect(parse('--cloud', cloud, '--cluster-name', 'blue', '--cloud-addresses', '127.0.9.0/24')).toEqual({
      cloud,
      clusterName: 'blue',
      cloudAddresses: '127.0.9.0/24',
    });
  });

  test.each([['aws'], ['cloud.js'], ['.../cloud.js'], ['']])('refuse --cloud %j', (cloud) => {
    expect(() => parse('--cloud', cloud)).toThrow('give memory, tcp, or the path of a module that begins with ./, ../ or /');
  });

  test('refuse an empty --cluster-name', () => {
    expect(() => parse('--cluster-name', '')).toThrow('give a name that no other cluster has in this cloud');
  });
});

test.each<[Parameters<typeof validateCloudFlags>[0], string | undefined]>([
  [{}, undefined],
  [{ controllers: ['endpoints'] }, undefined],
  [{ controllers: ['endpoints', 'service-lb'], cloud: 'tcp' }, undefined],
  [{ controllers: ['service-lb'], cloud: 'tcp', clusterName: 'blue', cloudAddresses: '127.0.9.0/24' }, undefined],
  [{ controllers: ['service-lb'] }, 'the controller service-lb needs a cloud: give --cloud memory, --cloud tcp, or --cloud ./MODULE'],
  [{ cloud: 'tcp' }, '--cloud needs the controller service-lb: add it to --controllers'],
  [{ controllers: ['endpoints'], clusterName: 'blue' }, '--cluster-name needs the controller service-lb: add it to --controllers'],
  [{ cloudAddresses: '127.0.9.0/24' }, '--cloud-addresses needs the controller service-lb: add it to --controllers'],
])('validateCloudFlags checks cloud flags against --controllers: %j', (flags, problem) => {
  expect(validateCloudFlags(flags)).toBe(problem);
});

describe('parseControllerNames', () => {
  test('splits names at commas', () => {
    expect(parseControllerNames('service-lb, endpoints')).toEqual(['service-lb', 'endpoints']);
  });

  test.each(['', 'pods', 'endpoints,', 'toString'])('refuses %j', (text) => {
    expect(() => parseControllerNames(text)).toThrow(InvalidArgumentError);
  });
});
