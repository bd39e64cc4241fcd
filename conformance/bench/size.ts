/**
 * Whether a benchmark runs at its small size (`--small`): a check that it works, in at most half a minute, whose figures mean little. Skips
 * comparisons that need a Go build.
 */
export const isSmall: boolean = process.argv.includes('--small');

/** The figure for the size of this run. */
export const sized = <T>(full: T, small: T): T => (isSmall ? small : full);

/** What the small size leaves out, for the head of the output. */
export const skipNote = (what: string): string => (isSmall ? `${what} skipped: --small\n` : '');

/** The option as `parseArgs` takes it. */
export const smallOption: { readonly small: { readonly type: 'boolean' } } = { small: { type: 'boolean' } };
