/**
 * Evidence that a page shows only a part of a list: it loads more on scroll or with a button, it renders only the
 * visible rows (a virtual list), or it states a larger total.
 */
export type MoreSign = 'scroll' | 'button' | 'virtual' | 'total'

/** Patterns of the start of "load more" labels in 25 languages. The matching must ignore case. */
export const LOAD_MORE = [
  String.raw`(?:load|show|view|see|get)(?: \d+)? more\b`,
  String.raw`more (?:results|items|posts|products|articles|comments|stories)\b`,
  String.raw`(?:mehr|weitere\b.{0,30}) (?:laden|anzeigen|zeigen)`,
  String.raw`(?:charger|afficher|voir) (?:plus|la suite)`,
  String.raw`(?:cargar|mostrar|ver) más`,
  String.raw`(?:carica|mostra|vedi) (?:altr[oi]|di più)`,
  String.raw`(?:carregar|mostrar|ver) mais`,
  String.raw`(?:laad|toon|bekijk) meer`,
  String.raw`(?:załaduj|pokaż|wczytaj) więcej`,
  String.raw`(?:показать|загрузить) (?:ещё|еще|больше)`,
  String.raw`(?:visa|ladda|vis|last) (?:fler|flere|mer)`,
  'daha fazla',
  String.raw`(?:načíst|zobrazit|ukázat) (?:další|více)`,
  String.raw`(?:több|továbbiak) (?:betöltése|megjelenítése|mutatása)`,
  String.raw`(?:încarcă|vezi|afișează|arată) mai mult`,
  String.raw`(?:φόρτωση|δείτε|εμφάνιση|προβολή) περισσότερ`,
  String.raw`(?:lataa|näytä|katso) lisää`,
  String.raw`(?:показати|завантажити) (?:ще|більше)`,
  String.raw`(?:xem|tải|hiển thị) thêm`,
  String.raw`(?:muat|lihat|tampilkan) (?:lebih banyak|lainnya)`,
  String.raw`(?:تحميل|عرض|شاهد) المزيد`,
  String.raw`(?:טען|הצג|ראה) עוד`,
  String.raw`और (?:देखें|दिखाएं|लोड करें)`,
  String.raw`(?:โหลด|ดู|แสดง)เพิ่มเติม`,
  'もっと見る|さらに(?:表示|読み込む)|加载更多|查看更多|载入更多|載入更多|顯示更多|더 ?보기',
].join('|')

const RETRY_LABELS =
  'retry|try again|erneut versuchen|nochmal versuchen|réessayer|reintentar|riprova|tentar novamente|opnieuw proberen|spróbuj ponownie|повторить|försök igen|tekrar dene|再試行|重试|重試|다시 시도'

/**
 * Pattern of the whole label of a button that repeats a request that failed: `Retry payment` does something else. The matching
 * must ignore case.
 */
export const RETRY = String.raw`(?:${RETRY_LABELS})[^\p{L}\p{N}]{0,3}$`

/** Warnings for a document that has only a part of a list. */
export const moreWarnings: Readonly<Record<MoreSign, string>> = {
  scroll:
    'The page loads more when it is scrolled, so that the content has only a part of it: use `expand: true`, or `actions` of type `scroll`.',
  button: 'The page shows more of a list when a button is clicked: use `expand: true`, or `actions` of type `click`.',
  virtual:
    'The page shows a list of which only the rows in view are there: use `expand: true`, or `actions` of type `scroll` and `scrape`.',
  total:
    'The page states that it shows a part of a list only: use `expand: true`, or `actions` of type `scroll` or `click`.',
}
