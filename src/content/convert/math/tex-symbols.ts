/** TeX commands of MathML symbols. @see https://www.w3.org/TR/mathml-core/#operator-dictionary */
const NAMES = `
α alpha|β beta|γ gamma|δ delta|ϵ epsilon|ε varepsilon|ζ zeta|η eta|θ theta|ϑ vartheta|ι iota|κ kappa|λ lambda|μ mu|ν nu|ξ xi
π pi|ϖ varpi|ρ rho|ϱ varrho|σ sigma|ς varsigma|τ tau|υ upsilon|ϕ phi|φ varphi|χ chi|ψ psi|ω omega
Γ Gamma|Δ Delta|Θ Theta|Λ Lambda|Ξ Xi|Π Pi|Σ Sigma|Υ Upsilon|Φ Phi|Ψ Psi|Ω Omega|µ mu|ϰ varkappa|ϝ digamma
∞ infty|∂ partial|∇ nabla|∅ emptyset|ℵ aleph|ℏ hbar|ħ hbar|ℓ ell|ℜ Re|ℑ Im|℘ wp|ı imath|ȷ jmath|∀ forall|∃ exists|∄ nexists
¬ neg|⊤ top|⊥ bot|∠ angle|△ triangle|□ square|◻ square|■ blacksquare|◇ diamond|★ bigstar|♯ sharp|♭ flat|♮ natural
± pm|∓ mp|× times|÷ div|⋅ cdot|· cdot|∘ circ|• bullet|∙ bullet|∗ ast|⋆ star|⊕ oplus|⊖ ominus|⊗ otimes|⊘ oslash|⊙ odot
∩ cap|∪ cup|⊎ uplus|⊓ sqcap|⊔ sqcup|∧ wedge|∨ vee|∖ setminus|≀ wr|† dagger|‡ ddagger|⨿ amalg
≤ leq|≥ geq|⩽ leqslant|⩾ geqslant|≠ neq|≡ equiv|≈ approx|∼ sim|≃ simeq|≅ cong|≍ asymp|∝ propto|≐ doteq|≔ coloneqq|≜ triangleq
≪ ll|≫ gg|≺ prec|≻ succ|⪯ preceq|⪰ succeq|≲ lesssim|≳ gtrsim
⊂ subset|⊃ supset|⊆ subseteq|⊇ supseteq|⊊ subsetneq|⊋ supsetneq|⊄ not\\subset|⊏ sqsubset|⊑ sqsubseteq|⊒ sqsupseteq
∈ in|∋ ni|∉ notin|⊢ vdash|⊣ dashv|⊨ models|⊩ Vdash|∣ mid|∤ nmid|∥ parallel|∦ nparallel|⋈ bowtie|⌣ smile|⌢ frown
← leftarrow|→ rightarrow|↔ leftrightarrow|↑ uparrow|↓ downarrow|↕ updownarrow|⇐ Leftarrow|⇒ Rightarrow|⇔ Leftrightarrow|⇑ Uparrow|⇓ Downarrow
⟵ longleftarrow|⟶ longrightarrow|⟷ longleftrightarrow|⟸ Longleftarrow|⟹ Longrightarrow|⟺ Longleftrightarrow|↦ mapsto|⟼ longmapsto
↪ hookrightarrow|↩ hookleftarrow|⇀ rightharpoonup|⇁ rightharpoondown|⇌ rightleftharpoons|↗ nearrow|↘ searrow|↙ swarrow|↖ nwarrow
⇝ leadsto|↠ twoheadrightarrow|↝ leadsto
∑ sum|∏ prod|∐ coprod|∫ int|∬ iint|∭ iiint|∮ oint|⋂ bigcap|⋃ bigcup|⨁ bigoplus|⨂ bigotimes|⋀ bigwedge|⋁ bigvee|⨆ bigsqcup|⨄ biguplus
⟨ langle|⟩ rangle|〈 langle|〉 rangle|⌈ lceil|⌉ rceil|⌊ lfloor|⌋ rfloor|‖ Vert|⟦ llbracket|⟧ rrbracket
… ldots|⋯ cdots|⋮ vdots|⋱ ddots|∴ therefore|∵ because|⧵ setminus|√ surd|⋄ diamond|♠ spadesuit|♣ clubsuit|♥ heartsuit|♦ diamondsuit
{ {|} }|% %|# #|& &|_ _|$ $|∅ emptyset|⌀ emptyset|℃ text{℃}|′ prime|″ prime\\prime|‴ prime\\prime\\prime
ℝ mathbb{R}|ℕ mathbb{N}|ℤ mathbb{Z}|ℚ mathbb{Q}|ℂ mathbb{C}|ℙ mathbb{P}|ℍ mathbb{H}|𝔼 mathbb{E}|𝔽 mathbb{F}|𝟙 mathbb{1}
ℒ mathcal{L}|ℋ mathcal{H}|ℱ mathcal{F}|ℬ mathcal{B}|ℰ mathcal{E}|ℐ mathcal{I}|ℳ mathcal{M}|ℛ mathcal{R}|ℯ mathcal{e}|ℴ mathcal{o}
`

const SYMBOLS: ReadonlyMap<string, string> = new Map<string, string>([
  ...NAMES.split(/[|\n]/)
    .filter((entry) => entry.includes(' '))
    .map((entry): [string, string] => [entry.slice(0, entry.indexOf(' ')), `\\${entry.slice(entry.indexOf(' ') + 1)}`]),
  ['−', '-'],
  ['‐', '-'],
  ['∶', ':'],
  ['⁄', '/'],
  ['∕', '/'],
  ['\\', '\\backslash'],
  ['~', '\\sim'],
  ['^', '\\wedge'],
  // Invisible operators: function application, product, list, sum.
  ...Array.from('\u2061\u2062\u2063\u2064\u200B\u200C\u200D\u2060\uFE0E\uFE0F', (sign): [string, string] => [sign, '']),
])

/** Converts a text of MathML to TeX: symbols to commands; letters of other alphabets stay. */
export function texSymbols(text: string): string {
  return joinTex(
    Array.from(text, (sign) => SYMBOLS.get(sign) ?? (/[\u{1D400}-\u{1D7FF}]/u.test(sign) ? styledLetter(sign) : sign)),
  )
}

// Blocks of mathematical letters, by the end of each (Unicode, Mathematical Alphanumeric Symbols).
const STYLES: readonly (readonly [end: number, command: string])[] = [
  [0x1d434, 'mathbf'],
  [0x1d468, ''],
  [0x1d49c, 'boldsymbol'],
  [0x1d504, 'mathcal'],
  [0x1d538, 'mathfrak'],
  [0x1d56c, 'mathbb'],
  [0x1d5a0, 'mathfrak'],
  [0x1d670, 'mathsf'],
  [0x1d6a4, 'mathtt'],
  [0x1d6e2, 'mathbf'],
]

function styledLetter(sign: string): string {
  const letter = sign.normalize('NFKC')
  const plain = SYMBOLS.get(letter) ?? letter
  const command = STYLES.find(([end]) => (sign.codePointAt(0) ?? 0) < end)?.[1] ?? ''
  return command === '' || plain !== letter ? plain : `\\${command}{${plain}}`
}

/** Joins pieces of TeX, with a space where a command would run into a letter. */
export function joinTex(pieces: readonly string[]): string {
  let tex = ''
  // Only the last piece is examined: reading the end of a string that has just grown copies it.
  let last = ''
  for (const piece of pieces) {
    if (piece === '') continue
    tex += /^[a-zA-Z]/.test(piece) && COMMAND_AT_END.test(last.slice(-40)) ? ` ${piece}` : piece
    last = piece
  }
  return tex
}

const COMMAND_AT_END = /\\[a-zA-Z]+$/

/** Functions that TeX sets upright by commands of their own. */
export const TEX_FUNCTIONS: ReadonlySet<string> = new Set(
  (
    'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr ' +
    'sec sin sinh sup tan tanh'
  ).split(' '),
)

/** TeX commands of accents above one letter, and above more. */
export const TEX_ACCENTS: Readonly<Record<string, readonly [narrow: string, wide: string] | undefined>> = {
  '^': ['hat', 'widehat'],
  ˆ: ['hat', 'widehat'],
  '\u0302': ['hat', 'widehat'],
  '~': ['tilde', 'widetilde'],
  '˜': ['tilde', 'widetilde'],
  '∼': ['tilde', 'widetilde'],
  '\u0303': ['tilde', 'widetilde'],
  '¯': ['bar', 'overline'],
  '‾': ['bar', 'overline'],
  ˉ: ['bar', 'overline'],
  '―': ['bar', 'overline'],
  '-': ['bar', 'overline'],
  '−': ['bar', 'overline'],
  _: ['bar', 'overline'],
  '\u0304': ['bar', 'overline'],
  '\u0305': ['bar', 'overline'],
  '→': ['vec', 'overrightarrow'],
  '\u20D7': ['vec', 'overrightarrow'],
  '⇀': ['vec', 'overrightarrow'],
  '←': ['overleftarrow', 'overleftarrow'],
  '↔': ['overleftrightarrow', 'overleftrightarrow'],
  '˙': ['dot', 'dot'],
  '.': ['dot', 'dot'],
  '\u0307': ['dot', 'dot'],
  '¨': ['ddot', 'ddot'],
  '\u0308': ['ddot', 'ddot'],
  '⃛': ['dddot', 'dddot'],
  ˇ: ['check', 'check'],
  '˘': ['breve', 'breve'],
  '´': ['acute', 'acute'],
  '`': ['grave', 'grave'],
  '˚': ['mathring', 'mathring'],
  '⏞': ['overbrace', 'overbrace'],
  '⏜': ['overparen', 'overparen'],
}

/** TeX commands of a line or brace below. */
export const TEX_LOWER_ACCENTS: Readonly<Record<string, string | undefined>> = {
  _: 'underline',
  '¯': 'underline',
  '‾': 'underline',
  '-': 'underline',
  '−': 'underline',
  '\u0332': 'underline',
  '⏟': 'underbrace',
  '⏝': 'underparen',
}
