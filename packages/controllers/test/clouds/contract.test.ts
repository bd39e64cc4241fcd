import { createMemoryCloud, createTcpCloud } from '../../src/clouds/index.ts';
import { describeCloud } from './contract.ts';

describeCloud('in memory', () => ({ cloud: createMemoryCloud(), address: '203.0.113.7' }));

describeCloud('that forwards TCP', () => {
  const cloud = createTcpCloud({ addresses: '127.0.79.0/24' });
  return { cloud, address: '127.0.79.77', close: () => cloud.close() };
});
