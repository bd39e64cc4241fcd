/**
 * Returns the number of letters to insert, remove or replace to turn a text into another, up to `max`.
 * @returns `max + 1` for any greater distance
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const nextRow = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const substitutionCost = (row[j - 1] as number) + (letter === b[j - 1] ? 0 : 1);
      nextRow.push(Math.min(substitutionCost, (row[j] as number) + 1, (nextRow[j - 1] as number) + 1));
    }
    row = nextRow;
    if (Math.min(...row) > max) return max + 1;
  }
  return row[b.length] as number;
}
