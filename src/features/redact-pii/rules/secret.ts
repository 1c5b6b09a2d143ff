import type { FoundValue, TextRule } from './found-value.js'

/** Keys and tokens that their services mark by a prefix, and tokens that describe themselves. */
const KEYS = new RegExp(
  '(?<![A-Za-z0-9_])(?:' +
    [
      // Amazon Web Services, Google, Azure
      '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])',
      'AIza[\\w-]{35}(?![\\w-])',
      'GOCSPX-[\\w-]{28}',
      'ya29\\.[\\w-]{20,500}',
      'AccountKey=[A-Za-z0-9+/]{86}==',
      // GitHub, GitLab, npm, PyPI, Docker, Hugging Face
      'gh[pousr]_[A-Za-z0-9]{36,255}',
      'github_pat_[A-Za-z0-9_]{60,255}',
      'gl(?:pat|dt|rt|ptt|ft|soat|cbt|oas|imt)-[\\w.-]{20,300}',
      'npm_[A-Za-z0-9]{36}',
      'pypi-AgE[\\w-]{50,500}',
      'dckr_pat_[\\w-]{27}',
      'hf_[A-Za-z]{30,40}',
      'hf_[A-Za-z0-9]{34}',
      // models
      'sk-(?:proj|svcacct|admin|ant|or)-[\\w-]{20,300}',
      'sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}',
      'sk-[A-Za-z0-9]{48}(?![A-Za-z0-9])',
      'gsk_[A-Za-z0-9]{48,60}',
      'xai-[A-Za-z0-9]{60,90}',
      'r8_[A-Za-z0-9]{37}',
      'pplx-[A-Za-z0-9]{40,60}',
      'fc-[0-9a-f]{32}(?![0-9a-f])',
      // payments
      '(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,255}',
      'whsec_[A-Za-z0-9+/=]{24,100}',
      'sq0(?:atp|csp|idp)-[\\w-]{22,50}',
      'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}',
      // messages and mail
      'xox[abeoprs]-[A-Za-z0-9-]{20,300}',
      'xapp-\\d-[A-Z0-9]{6,20}-\\d{6,20}-[a-z0-9]{20,100}',
      'SG\\.[\\w-]{22}\\.[\\w-]{43}',
      'key-[0-9a-f]{32}(?![0-9a-f])',
      '[0-9a-f]{32}-us\\d{1,2}(?!\\d)',
      'SK[0-9a-f]{32}(?![0-9a-f])',
      '\\d{8,10}:AA[\\w-]{33}(?![\\w-])',
      // infrastructure
      'do[opr]_v1_[0-9a-f]{64}',
      'dapi[0-9a-f]{32}',
      'hvs\\.[\\w-]{24,200}',
      'PMAK-[0-9a-f]{24}-[0-9a-f]{34}',
      'glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}',
      'NRAK-[A-Z0-9]{27}',
      'lin_api_[A-Za-z0-9]{40}',
      'sntrys_[A-Za-z0-9+/=_-]{40,300}',
      'AGE-SECRET-KEY-1[A-Z0-9]{58}',
      // JSON Web Tokens
      'eyJ[\\w-]{10,4000}\\.eyJ[\\w-]{10,8000}\\.[\\w-]{10,4000}',
    ].join('|') +
    ')',
  'g',
)

const PEM = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g
const PEM_END = /-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/
/** Longest key in PEM. Characters. */
const MAX_PEM = 20_000

/** User and password in a URL. */
const LOGIN = /:\/\/([^\s/?#@:'"<>]{1,100}:[^\s/?#@'"<>]{1,200})@/g

/** Values that are given the name of a secret. */
const NAMED =
  /(?<![A-Za-z0-9])(?:api[_-]?key|client[_-]?secret|secret[_-]?key|access[_-]?token|auth[_-]?token|refresh[_-]?token|password|passwd|bearer)["']?(?:\s{0,3}[:=]\s{0,3}|\s)["']?([\w./+~=-]{16,400})/gi

/** Tests whether a text is one that a machine made: letters and digits in turns, and no words. */
function isMade(text: string): boolean {
  const digits = text.match(/\d/g)?.length ?? 0
  const turns = text.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0
  return digits >= 3 && turns >= 4 && !/\.(?:com|org|net|html?|js|php)\b|\/\//.test(text)
}

/** Finds private keys; one without an end is as long as keys are. */
function findPems(plain: string): FoundValue[] {
  const found: FoundValue[] = []
  let last = 0
  for (const { index } of plain.matchAll(PEM)) {
    if (index < last) continue
    const end = PEM_END.exec(plain.slice(index, index + MAX_PEM))
    last = Math.min(plain.length, index + (end ? end.index + end[0].length : MAX_PEM))
    found.push({ start: index, end: last, entity: 'SECRET' })
  }
  return found
}

/** Finds keys, tokens and passwords. */
export const findSecrets: TextRule = ({ plain }) => {
  const found: FoundValue[] = []
  const add = (start: number, value: string) => found.push({ start, end: start + value.length, entity: 'SECRET' })
  for (const { 0: key, index } of plain.matchAll(KEYS)) add(index, key)
  if (plain.includes('-----BEGIN')) found.push(...findPems(plain))
  if (plain.includes('@'))
    for (const { 1: login = '', index } of plain.matchAll(LOGIN)) add(index + '://'.length, login)
  for (const { 0: whole, 1: value = '', index } of plain.matchAll(NAMED))
    if (isMade(value)) add(index + whole.length - value.length, value)
  return found
}
