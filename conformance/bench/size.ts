/**
 * Whether a benchmark runs at its small size (`--small`). This size takes at most half a minute, only checks that the benchmark works, and
 * skips comparisons that need a Go build.
 */
export const isSmall: boolean = process.argv.includes('--small');

/** Selects the value for the size of this run. */
export const chooseBySize = <T>(full: T, small: T): T => (isSmall ? small : full);

/** Returns a line for the output that says what `--small` skips; an empty string at full size. */
export const skipNote = (component: string): string => (isSmall ? `${component} skipped: --small\n` : '');

/** The option `--small` for `parseArgs`. */
export const smallOption: { readonly small: { readonly type: 'boolean' } } = { small: { type: 'boolean' } };
