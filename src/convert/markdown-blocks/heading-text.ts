const MAX_CHARACTERS = 120

const LINK = /!?\[((?:\\.|[^\\[\]])*)\](?:\((?:\\.|[^\\()]|\([^()]*\))*\)|\[[^[\]]*\])/g
const MARKS = /\\([!-/:-@[-`{-~])|(`+)(.*?)\2(?!`)|<\/?[a-z][^<>]*>|\*+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/giu

/** A heading's text without its mark-up, at most 120 characters: it stands over every chunk of its section. */
export function headingText(heading: string): string {
  // Bounded before anything is looked for in it: a heading may be of any length.
  const text = heading.slice(0, 2000).replace(/\n[ \t]*(?:=+|-+)[ \t]*$/, '')
  const line = text.replace(/^ {0,3}#{1,6}/, '').replace(/[ \t]#+[ \t]*$/, '')
  const plain = line
    // Twice: for an image in a link.
    .replace(LINK, '$1')
    .replace(LINK, '$1')
    .replace(MARKS, (_, escaped: string | undefined, ticks: string | undefined, code: string | undefined) =>
      ticks === undefined ? (escaped ?? '') : (code ?? '').trim(),
    )
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length <= MAX_CHARACTERS ? plain : `${plain.slice(0, MAX_CHARACTERS - 1).trimEnd()}…`
}
