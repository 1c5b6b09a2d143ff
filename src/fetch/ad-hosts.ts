/**
 * Hosts that serve advertisements or follow readers about, and nothing that a reader comes for: the list that `blockAds`
 * begins with. Full lists such as EasyList are not shipped, as their licences are not this package's; an engine is told
 * where they are. No host is here that also serves what pages are made of: fonts, players, maps, comments, payments.
 */
export const adHosts: readonly string[] = `
1rx.io 2mdn.net 2o7.net 33across.com 360yield.com 3lift.com 6sc.co ad.mail.ru ad6media.fr adalliance.io adapex.io
adblade.com adblockanalytics.com adcash.com adcolony.com addthis.com addthisedge.com adform.net adgrx.com adition.com
adjust.com adkernel.com adnxs-simple.com adnxs.com adobedtm.com adpushup.com adroll.com ads-twitter.com
ads.linkedin.com ads.microsoft.com ads.pinterest.com ads.tiktok.com ads.yahoo.com adsafeprotected.com adscale.de
adservice.google.com adspirit.de adsrvr.org adsterra.com adsterratech.com adtech.de adtechus.com adthrive.com
adtrafficquality.google adup-tech.com advertising.com advertising.yahoo.com adyoulike.com agkn.com alb.reddit.com
albacross.com amazon-adsystem.com amobee.com amplitude.com an.yandex.ru analytics.tiktok.com analytics.twitter.com
analytics.yahoo.com aniview.com anrdoezrs.net assoc-amazon.com at-o.net audiencemanager.de awin1.com ayads.co
bat.bing.com bidswitch.net bizible.com bluekai.com branch.io browser-intake-datadoghq.com btloader.com buysellads.com
buysellads.net c.msn.com carbonads.com casalemedia.com chartbeat.com chartbeat.net clarity.ms clearbit.com
clickadu.com clickcease.com clicktale.net cloudflareinsights.com cnzz.com commander1.com company-target.com
comscore.com connatix.com connect.facebook.net/*/fbevents.js contentsquare.net contextweb.com counter.yadro.ru
crazyegg.com creativecdn.com criteo.com criteo.net crwdcntrl.net ct.pinterest.com cxense.com demandbase.com demdex.net
districtm.io dotomi.com doubleclick.net doubleverify.com dpbolvw.net econda-monitor.de eloqua.com emetriq.de emjcd.com
emxdgt.com ensighten.com estat.com ethicalads.io etracker.com etracker.de events.redditmedia.com everesttech.net
evergage.com exelator.com exoclick.com exosrv.com eyeota.net ezojs.com facebook.com/tr flashtalking.com flex.msn.com
freestar.io fullstory.com geo.yahoo.com getclicky.com goatcounter.com google-analytics.com googleadservices.com
googlesyndication.com googletagmanager.com googletagservices.com gumgum.com heapanalytics.com hilltopads.com
hilltopads.net histats.com hm.baidu.com hotjar.com hotjar.io hs-analytics.net hsadspixel.net id5-sync.com impact-ad.jp
impactradius-event.com improvedigital.com imrworldwide.com indexww.com infolinks.com inspectlet.com intentiq.com
ioam.de iocnt.net izooto.com jdoqocy.com juicyads.com kameleoon.com kameleoon.eu kargo.com kissmetrics.com
kissmetrics.io kqzyfj.com krxd.net leadbolt.net leadfeeder.com leadforensics.com lfeeder.com liadm.com ligatus.com
lijit.com linksynergy.com logrocket.io loopme.me lr-in.com lr-ingest.io luckyorange.com luckyorange.net m6r.eu
mathtag.com matomo.cloud mc.yandex.ru media.net mediav.com mediavine.com mediego.com meetrics.net mgid.com
minutemedia-prebid.com mixpanel.com mktoresp.com ml314.com moatads.com moatpixel.com monetate.net mouseflow.com
mxpnl.com newrelic.com nexac.com nitropay.com nr-data.net omtrdc.net onclickads.net openx.net outbrain.com
outbrainimg.com pagefair.com perfectaudience.com permutive.app permutive.com pippio.com piwik.pro pixel.wp.com
pjtra.com popads.net popcash.net pos.baidu.com propellerads.com propellerclick.com publift.com pubmatic.com
pushengage.com pushwoosh.com q.quora.com quantcount.com quantserve.com retargeter.com revcontent.com rlcdn.com
rtbhouse.com rubiconproject.com rum.hlx.page sascdn.com sc-static.net/scevent.min.js scorecardresearch.com sddan.com
seedtag.com segment.com segment.io sekindo.com servenobid.com serving-sys.com sessioncam.com setupad.net
shareasale.com sharethrough.com simpleanalyticscdn.com simpli.fi singular.net sitemeter.com skimresources.com
smaato.net smartadserver.com smartclip.net smartlook.com snap.licdn.com snigelweb.com sociomantic.com sonobi.com
sovrn.com spotx.tv spotxchange.com springserve.com stackadapt.com statcounter.com stats.wp.com steelhousemedia.com
stroeerdigitalgroup.de subscribers.com t.co/i/adsct taboola.com taboolasyndication.com tagcommander.com tanx.com
tapad.com teads.tv tealiumiq.com theadex.com tkqlhce.com tns-counter.ru top-fwz1.mail.ru tr.snapchat.com trackcmp.net
trackjs.com tradedoubler.com trafficfactory.biz trafficguard.ai trafficjunky.net tremorhub.com triplelift.com turn.com
tynt.com undertone.com unrulymedia.com vidoomy.com viglink.com visitorqueue.com wcfbc.net weborama.fr webpushr.com
webtrekk.net woopra.com wt-eu02.net xiti.com xplosion.de yandexadexchange.net yieldify.com yieldlab.net yieldlove.com
yieldmo.com zanox-affiliate.de zanox.com zemanta.com zeotap.com
`
  .split(/\s+/)
  .filter(Boolean)

/** What advertisements are put into: hidden wherever a page is to be seen. */
export const adPlaces: readonly string[] = [
  'ins.adsbygoogle',
  '.adsbygoogle',
  'div[id^="google_ads_iframe"]',
  'div[id^="div-gpt-ad"]',
  'iframe[id^="google_ads_iframe"]',
  'iframe[src*="doubleclick.net"]',
  'amp-ad',
  'amp-embed[type="taboola"]',
  'div[id^="taboola-"]',
  '.OUTBRAIN',
  '.ob-widget',
  'div[id^="rc_widget_"]',
  'div[data-ad-slot]',
  'div[data-google-query-id]',
  '[data-freestar-ad]',
  '.carbonads-responsive',
  '#carbonads',
  '.ezoic-ad',
  '.mv-ad-box',
]
