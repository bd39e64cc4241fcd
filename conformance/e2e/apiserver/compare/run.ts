import type { Counts } from '../suites.ts';
import { connectTo } from '../target/http.ts';
import type { Target } from '../target/target.ts';
import { compareServers } from './compare.ts';
import { explainComparisons } from './explanations.ts';
import { formatReport } from './report.ts';
import type { Topic } from './step.ts';

interface ComparisonOptions {
  /** Whether every explanation must match a difference, if all topics are compared. */
  readonly requiresExplanations?: boolean;
  /** How to connect to a server. */
  readonly connect?: typeof connectTo;
}

/** Sends the script, or its named topics, to both servers and prints the differences. */
export async function runComparison(
  real: Target,
  ours: Target,
  script: readonly Topic[],
  topicNames: readonly string[] = [],
  { requiresExplanations = true, connect = connectTo }: ComparisonOptions = {},
): Promise<Counts> {
  const topics = topicNames.length === 0 ? script : script.filter(({ name }) => topicNames.includes(name));
  const [realHttp, oursHttp] = [connect(real), connect(ours)];
  try {
    const result = explainComparisons(await compareServers(realHttp, oursHttp, topics));
    const { text, passed, failed } = formatReport(
      topicNames.length === 0 && requiresExplanations ? result : { ...result, unusedExplanations: [] },
      topics,
    );
    console.log(text);
    return { passed, failed };
  } finally {
    realHttp.close();
    oursHttp.close();
  }
}
