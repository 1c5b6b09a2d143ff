/**
 * Hosts that serve advertisements or trackers, and no content: the built-in list of `blockAds`. Full lists such as EasyList
 * are not shipped, as their licences differ from this package's; `adLists` names them. Hosts that also serve parts of pages
 * are not listed: fonts, players, maps, comments, payments.
 */
export const adHosts: readonly string[] = `
1rx.io 2mdn.net 2o7.net 33across.com 360yield.com 3lift.com 4dex.io 51.la 6sc.co a-ads.com a-mo.net a.quora.com
abtasty.com acecounter.com actonservice.com ad.daum.net ad.mail.ru ad6media.fr adalliance.io adapex.io adblade.com
adblockanalytics.com adcash.com adcolony.com adcr.naver.com addthis.com addthisedge.com adform.net adfox.ru adgrx.com
adhese.com adingo.jp adition.com adjust.com adkernel.com adligature.com adlightning.com admanmedia.com admaster.com.cn
admatic.com.tr admedo.com admixer.net adnuntius.com adnxs-simple.com adnxs.com adobedtm.com adocean.pl adop.cc
adpushup.com adriver.ru adroll.com adrta.com ads-twitter.com ads.linkedin.com ads.microsoft.com ads.nextdoor.com
ads.pinterest.com ads.tiktok.com ads.yahoo.com adsafeprotected.com adscale.de adservice.google.com adskeeper.co.uk
adskeeper.com adsninja.ca adspirit.de adsrvr.org adsterra.com adsterratech.com adsymptotic.com adtech.de adtechus.com
adtelligent.com adthrive.com adtrafficquality.google adup-tech.com advertising.com advertising.yahoo.com adyoulike.com
agkn.com alb.reddit.com albacross.com alexametrics.com amazon-adsystem.com amobee.com amplitude.com amxrtb.com
an.yandex.ru analytics.google.com analytics.tiktok.com analytics.twitter.com analytics.umami.is analytics.yahoo.com
aniview.com anrdoezrs.net anytrack.io api.keen.io appsflyer.com assets.apollo.io/micro/website-tracker
assoc-amazon.com at-o.net atanx.alicdn.com aticdn.net audiencemanager.de audrte.com avads.net awin1.com ayads.co
b2bjsstore.s3.us-west-2.amazonaws.com b99.yahoo.co.jp bat.bing.com beacon.qq.com betweendigital.com bfmio.com bidr.io
bidswitch.net bidtheatre.com bidvertiser.com bitmedia.io bizible.com bkrtx.com blogherads.com bluekai.com
bounceexchange.com bouncex.net branch.io brealtime.com browsee.io browser-intake-datadoghq.com
browser-intake-datadoghq.eu btloader.com btstatic.com bttrack.com buysellads.com buysellads.net buzzoola.com
c.bing.com c.msn.com cafemedia.com callrail.com calltouch.ru carbonads.com casalemedia.com cbjs.baidu.com
cdn.logrocket.com cdn.parsely.com cdn.speedcurve.com cdn.treasuredata.com chartbeat.com chartbeat.net cheqzone.com
clarity.ms clean.gg clearbit.com clickadu.com clickcease.com clickcertain.com clickguard.com clickmagick.com
clicktale.com clicktale.net cloud.umami.is cloudflareinsights.com cnzz.com cognitivlabs.com coinzilla.com
coinzillatag.com comagic.ru commander1.com company-target.com comscore.com confiant-integrations.net confiant.com
config-security.com connatix.com connect.facebook.net/*/fbevents.js connect.facebook.net/signals/ content.ad
contentsquare.net contextualads.com contextweb.com convertexperiments.com counter.dev counter.rambler.ru
counter.yadro.ru cpro.baidustatic.com crazyegg.com creativecdn.com criteo.com criteo.net crwdcntrl.net
ct.pinterest.com ctnsnet.com cxense.com d10lpsik1i8c69.cloudfront.net d1l6p2sc9645hc.cloudfront.net
d1z2jf7jlzjs58.cloudfront.net d31qbv1cthcecs.cloudfront.net dable.io datadoghq-browser-agent.com dealfront.com
decibelinsight.net demandbase.com demdex.net deployads.com dialogtech.com districtm.io dotomi.com doubleclick.net
doubleverify.com dpbolvw.net dstillery.com dup.baidustatic.com dwin1.com dynamicyield.com/api/ dyntrk.com
e-planning.net eclick.baidu.com econda-monitor.de edge.adobedc.net eloqua.com emetriq.de emjcd.com emxdgt.com
engageya.com ensighten.com ero-advertising.com estat.com ethicalads.io etracker.com etracker.de events.redditmedia.com
everesttech.net evergage.com evgnet.com exelator.com exoclick.com exosrv.com extend.tv eyeota.net ezodn.com ezoic.net
ezojs.com facebook.com/tr factors.ai firstpromoter.com flashtalking.com flex.msn.com fls-eu.amazon.com
fls-fe.amazon.com fls-na.amazon.com fout.jp freestar.io fullstory.com fuseplatform.net gc.zgo.at gemini.yahoo.com
gemius.com gemius.pl genieesspv.jp geo.yahoo.com geoedge.be getclicky.com getrockerbox.com glassboxcdn.com
glassboxdigital.io go-mpulse.net go2cloud.org goatcounter.com google-analytics.com google.*/ads/ga-audiences
google.*/pagead/ googleadservices.com googleoptimize.com googlesyndication.com googletagmanager.com
googletagservices.com goqubit.com gosquared.com growingio.com grsm.io gssprt.jp gumgum.com hadronid.net hasoffers.com
hb.yahoo.net heapanalytics.com heatmap.it hilltopads.com hilltopads.net histats.com hit.uptrendsdata.com hm.baidu.com
hotjar.com hotjar.io hotlog.ru hprofits.com hs-analytics.net hsadspixel.net hyros.com i-mobile.co.jp id5-sync.com
im-apps.net img.en25.com/i/elqCfg impact-ad.jp impactcdn.com impactradius-event.com improvedigital.com
imrworldwide.com in.treasuredata.com indexww.com influ2.com infolinks.com ingage.tech insightexpressai.com
inspectlet.com intellimize.co intentiq.com intergient.com invoca.net invocacdn.com ioam.de iocnt.net ipinyou.com
ipredictive.com irs01.com ispot.tv ivwbox.de izooto.com jdoqocy.com juicyads.com justpremium.com kameleoon.com
kameleoon.eu kargo.com kissmetrics.com kissmetrics.io kochava.com kqzyfj.com kraken.rambler.ru krxd.net ladsp.com
leadbolt.net leadfeeder.com leadforensics.com leadinfo.net lfeeder.com liadm.com ligatus.com lijit.com
linkedin.com/li/track linkedin.com/px linksynergy.com listrakbi.com livesession.io logger.co.kr logly.co.jp
logrocket.io logx.optimizely.com loopme.me lr-in.com lr-ingest.com lr-ingest.io luckyorange.com luckyorange.net
lunio.ai lux.speedcurve.com lytics.io m6r.eu magsrv.com mathtag.com matomo.cloud mc.yandex.ru media.net
media6degrees.com mediago.io mediarithmics.com mediav.com mediavine.com mediego.com meetrics.net mfadsrvr.com mgid.com
miaozhen.com microad.jp microad.net minutemedia-prebid.com mixpanel.com mktoresp.com ml314.com mmstat.com moatads.com
moatpixel.com monetate.net monumetric.com mookie1.com mouseflow.com munchkin.marketo.net mutinycdn.com mxpnl.com
mxptint.net narrativ.com nend.net netmng.com newormedia.com newrelic.com nexac.com nitropay.com northbeam.io
nr-data.net ntv.io nxtck.com ojrq.net omniconvert.com omnitagjs.com omtrdc.net onaudience.com onclickads.net
onetag-sys.com openreplay.com openstat.net opentracker.net openx.net openxcdn.net optimizely.com/js/ outbrain.com
outbrainimg.com owneriq.net p1.parsely.com pagefair.com panelbear.com partnerize.com pdst.fm pepperjam.com
perfectaudience.com permutive.app permutive.com pgdt.gtimg.cn pi.pardot.com pingjs.qq.com pippio.com pirsch.io
piwik.pro pixel.byspotify.com pixel.parsely.com pixel.wp.com pixels.spotify.com pjtra.com plausible.io plerdy.com
plista.com plugrush.com pntra.com pntrs.com po.st popads.net popcash.net popin.cc pos.baidu.com posthog.com
postrelease.com ppcprotect.com prf.hn primis.tech pro-market.net prod.uidapi.com propellerads.com propellerclick.com
proper.io ptengine.com ptengine.jp pub.network pubgw.yahoo.com publift.com pubmatic.com pushengage.com pushwoosh.com
px.dynamicyield.com pxf.io q.quora.com quantcount.com quantserve.com quantummetric.com qubit.com r.logrocket.com
r.wdfl.co raptivecdn.com rdtk.io realsrv.com redditstatic.com/ads/ refersion.com relap.io retargeter.com
revcontent.com revenuehits.com rezync.com rfihub.com rfihub.net richaudience.com rlcdn.com roistat.com rollworks.com
rqtrk.eu rtbhouse.com rtoaster.jp ru4.com rubiconproject.com rudderlabs.com rum-collector.pingdom.net
rum-static.pingdom.net rum.hlx.page rundsp.com s.pinimg.com/ct/ s.yimg.com/wi/ytc.js s.yimg.jp/images/listing/tool/cv/
sail-horizon.com salesviewer.com samba.tv sascdn.com sc-static.net/scevent.min.js scorecardresearch.com
scout-cdn.salesloft.com scout.salesloft.com sddan.com seedtag.com segment.com segment.io sekindo.com semasio.net
servenobid.com serving-sys.com sessioncam.com sessionstack.com setupad.net shareaholic.com shareaholic.net
shareasale.com sharethis.com sharethrough.com simpleanalyticscdn.com simpli.fi singular.net sitemeter.com
sitescout.com sitespect.com sjv.io skimresources.com smaato.net smartadserver.com smartclip.net smartlook.com
snap.licdn.com snigelweb.com snitcher.com snplow.net socdm.com sociomantic.com sonobi.com sovrn.com splitbee.io
sportradarserving.com spotx.tv spotxchange.com springserve.com st.dynamicyield.com st.top100.ru stackadapt.com
statcounter.com stats.wp.com steelhousemedia.com steepto.com stickyadstv.com stroeerdigitalgroup.de strossle.com
subscribers.com svtrd.com t.co/i/adsct t1.daumcdn.net/adfit/ t1.daumcdn.net/kas/ taboola.com taboolasyndication.com
tagcommander.com tanx.com tapad.com tapfiliate.com target.my.com teads.tv tealiumiq.com technoratimedia.com
terminus.services theadex.com thebrighttag.com themoneytizer.com throtle.io tiqcdn.com tkqlhce.com tns-counter.ru
top-fwz1.mail.ru tpmn.co.kr tr.snapchat.com track.hubspot.com trackalyzer.com trackcmp.net tracking.g2.com
tracking.g2crowd.com trackjs.com tradedoubler.com trafficfactory.biz trafficguard.ai trafficjunky.net tremorhub.com
tribalfusion.com triplelift.com trk.pinterest.com trkn.us tsyndicate.com turn.com tvpixel.com tvsquared.com tynt.com
undertone.com unrulymedia.com usbrowserspeed.com usefathom.com userreport.com va.vercel-scripts.com vidazoo.com
vidoomy.com viglink.com visitor-analytics.io visitorqueue.com visualwebsiteoptimizer.com vitals.vercel-insights.com
vk.com/rtrg vntsm.com w55c.net warmly.ai wcfbc.net wcs.naver.com wcs.naver.net webgains.com webgains.io weborama.fr
webpushr.com webtrekk.com webtrekk.net wickedreports.com wiredminds.de wknd.ai woopra.com ws.zoominfo.com wt-eu02.net
wt-safetag.com xiti.com xplosion.de yads.c.yimg.jp yandex.ru/ads/ yandexadexchange.net yastatic.net/partner-code
yastatic.net/pcode ybp.yahoo.com yieldbot.com yieldify.com yieldlab.net yieldlove.com yieldmo.com yjtag.jp
youtube.com/api/stats/ads youtube.com/pagead/ youtube.com/ptracking zanox-affiliate.de zanox.com zemanta.com
zeotap.com zergnet.com zqtk.net
`
  .split(/\s+/)
  .filter(Boolean)

/** A rule that recognizes advertisements or trackers by their URL. */
interface AdUrlRule {
  /** A rule in the syntax of EasyList. */
  readonly rule: string
  /**
   * URLs that the rule may match, with `*` for any text and `?` for a letter of either case; absent for a rule that
   * matches whole hosts.
   */
  readonly urls?: readonly string[]
}

/**
 * Rules for hosts that a list cannot enumerate: typical host names, paths of vendors' scripts on any host, and URLs of
 * cookie matching and ad auctions. All of them match third-party requests only, and are narrow to avoid false
 * positives: `ad.nl` is a newspaper, and a `stats.` host may serve the statistics that a page is about.
 */
export const adUrlRules: readonly AdUrlRule[] = [
  {
    rule: String.raw`/^https?:\/\/(?:[^\/]+\.)?(?:ads?|adserver|adservice|pixel|px|prebid|trackers?|tracking|telemetry|usermatch|usersync|cookie-?(?:sync|matching))\d*\.[^\/.]+\.[^\/]/$third-party`,
  },
  {
    rule: String.raw`/^https?:\/\/(?:analytics|beacon|metrics|stats|sync|cm|match)\d*\.[^\/.]+\.[^\/]/$third-party,image,subdocument,ping`,
    urls: ['analytics', 'beacon', 'metrics', 'stats', 'sync', 'cm', 'match'].map((name) => `*//${name}*`),
  },
  {
    rule: String.raw`/^https?:\/\/(?:analytics|beacon)\d*\.[^\/.]+\.[^\/]/$third-party,script`,
    urls: ['*//analytics*', '*//beacon*'],
  },
  {
    rule: String.raw`/\/(?:cookie|user|id|pixel|dmp)[-_]?(?:sync|match)(?:ing)?\b/$third-party,image,subdocument`,
    urls: ['*?ync*', '*?atch*'],
  },
  {
    rule: String.raw`/\/(?:openrtb2?\/|prebid[\/.]|hb(?:id)?\/bid|bidrequest\b|header\/auction)/$third-party,script,xmlhttprequest`,
    urls: ['*?pen???*/*', '*?rebid*', '*/hb*/bid*', '*?id?equest*', '*/header/auction*'],
  },
  {
    rule: String.raw`/\/(?:gtm\.js\?id=GTM-|gtag\/js\?id=|adsbygoogle\.js|fbevents\.js|matomo\.js|matomo\.php|piwik\.js|piwik\.php|amp-(?:ad|analytics)-0\.1\.js)/$third-party`,
    urls: [
      '*/???.js*id=???-*',
      '*gtag/js*',
      '*adsbygoogle.js*',
      '*fbevents.js*',
      '*?atomo.*',
      '*?iwik.*',
      '*amp-ad-*',
      '*amp-analytics-*',
    ],
  },
  {
    // One lookahead for each parameter: matching them in sequence would take cubic time.
    rule: String.raw`/\/collect\?(?=(?:.*&)?v=[12]&)(?=(?:.*&)?tid=(?:UA|G)-)/$third-party`,
    urls: ['*/collect*'],
  },
]

/** Selectors of elements that hold advertisements. They are hidden before actions and captures, such as screenshots. */
export const adSelectors: readonly string[] = [
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
