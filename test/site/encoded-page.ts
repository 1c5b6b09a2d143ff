/**
 * The page that the compressed routes send: 170 KB of words, the same in every run, so that `encoded-page.html.zst`,
 * which Node 20 cannot make, can be compared with it.
 */
export function writeEncodedPage(): string {
  const words = 'the quick brown fox jumps over lazy dogs while seven wizards brew äpfel über größe'.split(' ')
  let state = 1
  const next = () => (state = (state * 48_271) % 2_147_483_647)
  const sentences = Array.from({ length: 2_000 }, (_, line) => {
    const picked = Array.from({ length: 12 }, () => words[next() % words.length])
    return `<p>${line}: ${picked.join(' ')}.</p>`
  })
  return `<!doctype html><title>Compressed</title>${sentences.join('\n')}`
}
