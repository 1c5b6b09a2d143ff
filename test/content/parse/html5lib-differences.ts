/**
 * Cases of html5lib that trawl's tree builder reads differently on purpose: the reason, and the numbers of the cases in
 * each file. Each of them must differ, so that the list contains no case that was mended.
 */
export const intendedDifferences: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  // Browsers repeat an inline element that a block or a cell closed, in every later one. Pages that forget an end tag
  // would be bold, or one link, up to their end, and a page of unclosed elements would grow by their product.
  'an inline element that is not closed ends with the block around it': {
    adoption01: [3, 9, 10, 16],
    adoption02: [0],
    'html5test-com': [20],
    tests1: [25, 31, 53, 56, 70, 71, 72, 73, 74, 75, 77, 79],
    tests15: [0, 1],
    tests19: [91, 92, 93, 94, 95, 96, 103, 104],
    tests22: [0, 1, 2, 3, 4],
    tests23: [4],
    tests26: [4, 10, 11, 12, 13],
    tests7: [26],
    tricky01: [1, 2, 3, 6],
    webkit01: [31],
  },
  // Text of an old page is worth more than the letter of the standard.
  'plaintext is an element like others, and its end tag ends it': {
    tests18: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16, 19],
    tests2: [12, 13],
    webkit02: [14, 16],
  },
  'text beside a frameset is kept': {
    tests19: [41],
    tests2: [5, 6, 7],
    tests6: [6],
  },
  'NUL characters are dropped everywhere': {
    'plain-text-unsafe': [9, 10, 14, 15, 16, 17, 20],
  },
  // A script that never ends would contain the rest of the page.
  'a script whose comment opens another script ends at its first end tag, if it has only one': {
    scriptdata01: [16, 17, 18, 20, 21, 22, 23],
    tests16: [69, 71, 163, 165],
  },
  'an end tag has no attributes, and ends at its first >': {
    scriptdata01: [6],
  },
  // An element that is not closed would hide the rest of the page.
  'markup in iframe, noembed, noframes and noscript is markup': {
    noscript01: [16],
    tests16: [85, 86, 92, 95, 179, 180, 184, 187],
    tests5: [5],
  },
  'markup in a select is kept': {
    tests10: [16, 17],
    tests9: [17, 18],
  },
  // Images are dropped as a whole; only their end has to be found.
  'a title in SVG is text up to its end tag, and a td does not close the svg element': {
    'namespace-sensitivity': [0],
    webkit02: [15],
  },
}
