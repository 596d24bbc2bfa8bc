ENV MALLOC_ARENA_MAX=1
ENTRYPOINT ["/usr/local/bin/node","--max-semi-space-size=2","--max-old-space-size=192","--v8-pool-size=1","--enable-source-maps","--disable-proto=delete","/operator/operator.js"]
