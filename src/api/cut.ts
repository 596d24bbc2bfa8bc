/** Of any sentence that is kept, in characters. */
export const longestSentence = 1_024

/** The first half of a character that takes two units. */
const half = /[\ud800-\udbff]$/

/**
 * At most so many characters, none of them a half one, as a text of its own: what `slice` answers points into the whole
 * text, which stays in memory as long as the piece does.
 */
export function cut(text: string, longest: number): string {
  return text.length <= longest
    ? text
    : (JSON.parse(JSON.stringify(text.slice(0, longest).replace(half, ''))) as string)
}
