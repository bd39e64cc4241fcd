import { script } from '../script/script.ts';
import type { Counts } from '../suites.ts';
import { connectTo } from '../target/http.ts';
import type { Target } from '../target/target.ts';
import { compareServers } from './compare.ts';
import { explainComparisons } from './explanations.ts';
import { formatReport } from './report.ts';

/** Sends the script, or the named topics, to both servers and prints the differences. */
export async function runComparison(
  real: Target,
  ours: Target,
  topicNames: readonly string[] = [],
  connect: typeof connectTo = connectTo,
): Promise<Counts> {
  const topics = topicNames.length === 0 ? script : script.filter(({ name }) => topicNames.includes(name));
  const [realHttp, oursHttp] = [connect(real), connect(ours)];
  try {
    const result = explainComparisons(await compareServers(realHttp, oursHttp, topics));
    const { text, passed, failed } = formatReport(topicNames.length === 0 ? result : { ...result, unusedExplanations: [] }, topics);
    console.log(text);
    return { passed, failed };
  } finally {
    realHttp.close();
    oursHttp.close();
  }
}
