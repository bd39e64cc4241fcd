import type { DnsAnswer, DnsQuestion } from './answer.ts';
import type { DnsConfig } from './config.ts';
import type { DnsObjects } from './objects.ts';
import { createClusterZone } from './zone-of-cluster.ts';

/** One question over objects at hand. Where there are several, make a zone with `createClusterZone`, and ask it. */
export const answerQuestion = (question: DnsQuestion, objects: DnsObjects, config: DnsConfig = {}): DnsAnswer =>
  createClusterZone(config, { objects }).answer(question);
