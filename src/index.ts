/// <reference types="node" preserve="true" />
export { replay } from './features/archive/replay/replay.js'
export { warc, wacz } from './features/archive/write/archive-target.js'
export { createEngine, errorTable } from './features/create-engine.js'
export type * from './features/index.js'
export { batchScrape, crawl, scrape } from './features/default-engine.js'
export type {
  CallOptions,
  CloseOptions,
  Engine,
  JobCallOptions,
  Started,
  ResumeOptions,
} from './kernel/engine/engine-surface.js'
export type { EngineHealth } from './kernel/engine/engine-health.js'
export { createIdentity } from './base/http/request-signer.js'
export type { NewIdentity } from './base/http/request-signer.js'
export type { IdentityConfig } from './kernel/options/fields/identity.js'
export type { ProxiesConfig, ProxyLists } from './kernel/options/fields/proxies.js'
export { defineFeature } from './features/own-features/own-feature.js'
export type { OwnFeature as Feature } from './features/own-features/own-feature.js'
export type { AskedHeaders, AskedPage, OwnAddition as FeatureAddition } from './features/own-features/own-feature.js'
export type {
  FeatureAnswer,
  FeatureFile,
  FeatureLink,
  FeatureRequest,
  PageView,
  RequestChange,
  StepResult,
} from './kernel/page/feature-page.js'
export type { OwnFormat as FeatureFormat } from './features/own-features/own-feature.js'
export type { FeatureFormats } from './kernel/enrich/format.js'
export type { DocumentFrame } from './kernel/page/document.js'
export type { FeatureFetcher, FetcherRequest, FetcherResponse } from './kernel/fetch/feature-fetcher.js'
export type { EngineConfig } from './kernel/options/engine-config.js'
export type { ResumeEvents } from './kernel/options/engine/job-config.js'

export type { BatchScrapeRequest } from './kernel/options/batch-options.js'
export type { MapRequest } from './features/survey/map-options.js'
export type { CrawlRequest } from './kernel/options/crawl-options.js'
export type {
  V1BatchScrapeRequest,
  V1CrawlRequest,
  V1ScrapeCallOptions,
  V1ScrapeOptions,
} from './kernel/options/v1-options.js'
export type { ParseInput } from './kernel/options/parse-input.js'
export type { ScrapeOptions } from './kernel/options/scrape-options.js'
export type { FormatItem } from './kernel/options/fields/formats.js'

export type { ChangeField } from './content/compare/change-field.js'

export type { Document, DocumentMetadata, DocumentOf, DocumentSince } from './kernel/page/document.js'
export type { ChangeTracking } from './kernel/snapshot/change-tracking.js'
export type { PageDiff } from './content/compare/compare.js'
export type { ChangedBlock } from './content/compare/match-passages.js'
export type { DiffFile } from './content/compare/line-diff.js'
export type { PageMetadata } from './content/extract/page-metadata.js'
export type { Fidelity } from './content/extract/fidelity/fidelity.js'
export type { DroppedBlock } from './content/extract/fidelity/dropped-block.js'
export type { HiddenText } from './content/extract/fidelity/fidelity.js'
export type { Evidence } from './features/json/index.js'
export type { Menu, MenuItem, MenuOption, MenuOptionGroup, MenuPrice, MenuSection } from './features/offers/index.js'
export type { Product, ProductVariant } from './features/offers/index.js'
export type { Chunk } from './content/convert/split/chunk-markdown.js'
export type { LinkedChunk } from './content/convert/formats/chunks.js'
export type { InvalidRow, List } from './features/list/row-list.js'
export type { ListField, ListRow, ListValue } from './content/extract/list/page-list.js'
export type { FileBlock, FilePage, FilePageBlocks } from './content/convert/write/write-parts.js'
export type {
  BatchScrapeJob,
  CrawlJob,
  Job,
  JobErrors,
  JobEvents,
  JobKind,
  JobProgress,
  JobState,
  JobStatus,
  PageError,
  StartResponse,
} from './kernel/job/job.js'
export type { JobActivity, PageActivity } from './kernel/job/job.js'
export type { PageStep } from './kernel/fetch/fetcher.js'
export type { JobItems } from './features/list/index.js'
export type { UnseenUrl } from './kernel/job/job.js'
export type { JobOverview } from './kernel/job/list-jobs.js'
export type { RowQuery } from './kernel/plan/row-query.js'
export type { Credits } from './base/accounting/credit-account.js'
export type { JobBudget, JobUse } from './base/accounting/budget.js'
export type { CrawlerOptions, PromptedOptions } from './kernel/plan/crawl/prompted-options.js'
export type { CrawlForecast } from './features/survey/forecast.js'
export type { SiteMap } from './features/survey/site-map.js'
export type {
  Attempt,
  LedgerRow,
  PageWarning,
  LinkScore,
  Outcome,
  Refusal,
  SkipReason,
  Source,
  Via,
} from './kernel/ledger/ledger.js'
export type { GoalCoverage, GoalFacet, UntilOptions } from './features/goal/index.js'

export type { ReportedJob } from './features/report/reported-job.js'
export { readStoredJob } from './features/report/read-stored-job.js'
export { writeReport } from './features/report/write-report.js'
export type { WriteReportOptions, WrittenReport } from './features/report/write-report.js'

export { ActionError, InvalidRequestError, TrawlError } from './base/errors.js'
export type { ErrorCode, ErrorRow, RequestIssue } from './base/errors.js'
export type { Logger, LogLevel, LogMethod } from './base/tracing/logger.js'
export type {
  AttemptSpan,
  DigestSpan,
  FetchSpan,
  JobSpan,
  LedgerSpan,
  ModelSpan,
  PageSpan,
  ParentSpan,
  TraceSpans,
} from './base/tracing/spans.js'

export { ModelError } from './base/llm/llm.js'
export type {
  LanguageModel,
  ModelAnswer,
  ModelErrorOptions,
  ModelRequest,
  ModelTools,
  ModelUsage,
  PostAnswer,
} from './base/llm/llm.js'
export type { Embed, EmbedContext } from './base/llm/embedder.js'
export type { ModelSettings } from './base/llm/model-client.js'
export type { ModelPrice } from './base/llm/spending.js'
export { aiSdk, openAiCompatible } from './base/llm/providers/index.js'
export type { AiSdkModel } from './base/llm/providers/ai-sdk.js'
export type { OpenAiCompatibleOptions } from './base/llm/providers/open-ai-compatible.js'
export type { ImageFacts, ImageParser } from './content/parse/image-parser.js'
export type { MediaFile, MediaSink } from './base/media/media.js'
export { s3Media } from './base/media/s3-media.js'
export type { S3MediaOptions } from './base/media/s3-media.js'
export { readMedia, storeMedia } from './base/media/store-media.js'
export type { StoredMedia, StoreMediaOptions } from './base/media/store-media.js'
export type { ExtractedMedia, MediaExtractor, MediaQuestion } from './features/media/media-extractor.js'
export type { MediaKind, MediaType } from './base/media/media-types.js'
export { ytDlp } from './features/media/yt-dlp.js'
export type { YtDlpOptions } from './features/media/yt-dlp.js'

export { postgres } from './features/machines/index.js'
export { mirrorTo, mirrorWith, postgresTable, sqliteTable, vectors } from './features/mirror/targets/index.js'
export { writePages } from './features/mirror/write-pages.js'
export type { WrittenPage, WrittenPages, WritePagesOptions } from './features/mirror/write-pages.js'
export type { FolderOptions } from './features/mirror/targets/mirror-to.js'
export type { FunctionTargetOptions } from './features/mirror/targets/mirror-with.js'
export type { PostgresTableOptions } from './features/mirror/targets/postgres-table.js'
export type { SqliteTableOptions } from './features/mirror/targets/sqlite-table.js'
export type { VectorItem, VectorsOptions, VectorStore } from './features/mirror/targets/vectors.js'
export { memoryLedger, sqlite } from './kernel/ledger/ledgers/index.js'
export type { MemoryLedgerOptions } from './kernel/ledger/ledgers/memory.js'
export type { PostgresPool } from './base/postgres/connection-settings.js'
export type { InterruptedJob as LeftJob, StopReason } from './kernel/ledger/job-store.js'
export type { Ledger } from './kernel/ledger/ledger.js'
export type { TaskOverview, WorkerOverview } from './kernel/ledger/ledger-health.js'
export { tesseractOcr } from './content/ocr/tesseract-ocr.js'
export type { TesseractOptions } from './content/ocr/tesseract-ocr.js'
export type { Ocr, PagePicture } from './content/ocr/ocr.js'

export { tools } from './features/toolkit/ai-sdk-tools.js'
export type { AiSdkCallOptions, AiSdkSchema, AiSdkTool } from './features/toolkit/ai-sdk-tools.js'
export { createToolkit } from './features/toolkit/toolkit.js'
export type { AgentTool, ToolCallOptions, ToolDocument, Toolkit, ToolProgress } from './features/toolkit/agent-tool.js'
export type { ToolkitOptions } from './features/toolkit/toolkit-options.js'
export { mcpServer } from './features/toolkit/mcp-server.js'
export type { McpServer, McpStreams } from './features/toolkit/mcp-server.js'
export type { McpTransport } from './features/toolkit/mcp/mcp-sdk.js'

export { judgeStatus, SiteCoverage } from './kernel/job/site-coverage.js'
export type { CoverageStatus, StatusVerdict } from './kernel/job/site-coverage.js'
export { file as index } from './features/search/indexes/index.js'
export { fileCache, keyvCache, memoryCache } from './kernel/cache/caches/index.js'
export type { MemoryCacheOptions } from './kernel/cache/caches/memory.js'
export { storeCache } from './kernel/cache/store-cache.js'
export type { PageCache } from './kernel/cache/cache.js'
export { fileStore, keyvStore, memoryStore, postgresStore, s3Store } from './base/store/stores/index.js'
export type { FileStoreOptions } from './base/store/stores/file.js'
export type { KeyvLike, KeyvStoreOptions } from './base/store/stores/keyv.js'
export type { PostgresStoreOptions } from './base/store/stores/postgres.js'
export type { S3StoreOptions } from './base/store/stores/s3.js'
export type { S3Credentials, S3Options } from './base/s3/s3-options.js'
export type { Json, Store, StoredEntry } from './base/store/store.js'
export type { FetchedPage, Redirect } from './kernel/fetch/fetched-page.js'
export { folderProfiles } from './features/browser/profiles/folder-profiles.js'
export { memoryProfiles } from './features/browser/profiles/memory-profiles.js'
export { storeProfiles } from './features/browser/profiles/store-profiles.js'
export type { ProfileStore } from './features/browser/profiles/profile.js'
export type { FetchLimits } from './kernel/fetch/fetcher.js'
export type { RetrySettings } from './kernel/fetch/retry.js'
