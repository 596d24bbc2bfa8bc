/** The texts of `Warning: 299 - "text"` headers (RFC 7234 5.5), of one header or several, joined by commas or not. */
export function warningTexts(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return []
  const joined = typeof header === 'string' ? header : header.join(', ')
  return [...joined.matchAll(/\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, quoted = '']) =>
    quoted.replace(/\\(.)/g, '$1'),
  )
}
