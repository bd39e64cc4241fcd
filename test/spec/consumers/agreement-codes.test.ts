import { expect, it } from 'vitest';
import { createDifference, createTally, differenceMessages, disregardedMessages } from '../../../src/spec/consumers/agreement-codes.ts';

it('createDifference fills in the message of its code, and omits absent values', () => {
  expect(createDifference('MissingInSlices', { address: '10.0.0.1', endpoints: 'ready' })).toStrictEqual({
    code: 'MissingInSlices',
    message: '10.0.0.1 is ready in Endpoints, but in no slice',
    address: '10.0.0.1',
    inEndpoints: 'ready',
    slices: [],
  });
  expect(createDifference('AppProtocolDiffers', { port: 'http:80/TCP', endpoints: 'a', slices: 'b', names: ['s'] })).toStrictEqual({
    code: 'AppProtocolDiffers',
    message: 'http:80/TCP has a in Endpoints, but b in slices',
    inEndpoints: 'a',
    inSlices: 'b',
    slices: ['s'],
  });
});

it('createTally counts each address once per reason, in the order of the table', () => {
  const tally = createTally();
  tally.add('Truncated', 'a');
  tally.add('OtherFamily', 'a');
  tally.add('Truncated', 'b');
  tally.add('Truncated', 'a');
  expect(tally.toDisregarded()).toEqual([
    { code: 'OtherFamily', message: disregardedMessages.OtherFamily, count: 1 },
    { code: 'Truncated', message: disregardedMessages.Truncated, count: 2 },
  ]);
});

it('messages contain no placeholder without a value', () => {
  for (const message of Object.values(differenceMessages))
    expect(message.replace(/\{(address|port|endpoints|slices)\}/g, '')).not.toMatch(/[{}]/);
  for (const message of Object.values(disregardedMessages)) expect(message).not.toMatch(/[{}]/);
});
