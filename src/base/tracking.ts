/** Prefixes that belong to one analytics product. */
const TRACKING_PREFIXES: readonly string[] = [
  'utm_', // Google Analytics and its imitators
  'mtm_', // Matomo
  'hsa_', // HubSpot ads
  '__cf_chl_', // Cloudflare's challenge: a new value at every visit
]

/** Parameters that an advertiser, a mailer or a share button adds and a script reads. */
const TRACKING: ReadonlySet<string> = new Set(
  [
    'gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _ga _gl _gac', // Google
    'fbclid fb_action_ids fb_action_types fb_ref fb_source mibextid igshid igsh', // Facebook, Instagram
    'msclkid', // Microsoft
    'twclid ref_src ref_url', // Twitter
    'ttclid', // TikTok
    'li_fat_id', // LinkedIn
    'epik', // Pinterest
    'rdt_cid', // Reddit
    'sccid', // Snapchat
    'yclid ymclid ysclid _openstat', // Yandex
    'mc_cid mc_eid', // Mailchimp
    '_hsenc _hsmi __hssc __hstc __hsfp hsctatracking', // HubSpot
    'mkt_tok', // Marketo
    '_kx', // Klaviyo
    'vero_id vero_conv', // Vero
    'oly_enc_id oly_anon_id', // Omeda
    'trk_contact trk_msg trk_module trk_sid', // Listrak
    'pk_campaign pk_kwd pk_keyword pk_source pk_medium pk_content pk_cid piwik_campaign piwik_kwd', // Piwik
    'itm_source itm_medium itm_campaign itm_content', // campaigns within a site
    's_kwcid ef_id', // Adobe
    'irclickid irgwc', // Impact
    'cjevent', // Commission Junction
    'tblci', // Taboola
    'dicbo', // Outbrain
    'wickedid', // Wicked Reports
    'rb_clickid', // RedTrack
    'xtor', // Piano
    'wt_mc wt.mc_id', // Mapp, Webtrends
    '_branch_match_id _branch_referrer', // Branch
    'guccounter guce_referrer guce_referrer_sig', // Yahoo's consent page
    '__twitter_impression',
  ].flatMap((names) => names.split(' ')),
)

/** True for a parameter that only tells where a visitor came from. @param name in lower case */
export const isTracking = (name: string): boolean =>
  TRACKING.has(name) || TRACKING_PREFIXES.some((prefix) => name.startsWith(prefix))

/** Removes the parameters of a URL that only tell where a visitor came from. The rest stays as it is written. */
export function withoutTracking(url: string): string {
  const start = url.indexOf('?')
  if (start === -1) return url
  const hash = url.indexOf('#', start)
  const end = hash === -1 ? url.length : hash
  const parameters = url.slice(start + 1, end).split('&')
  const kept = parameters.filter((parameter) => !isTracking(/^[^=]*/.exec(parameter)?.[0].toLowerCase() ?? ''))
  if (kept.length === parameters.length) return url
  return `${url.slice(0, start)}${kept.length > 0 ? `?${kept.join('&')}` : ''}${url.slice(end)}`
}
