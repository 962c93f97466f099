extension NewPackage {
    /// The configuration, with a store in a file and a store on the server of ``composeFile``.
    var configuration: String {
        """
        {
          // \(name) and \(name)Tool both read this file. The environment variable STORECTL_STORE selects another store.
          "default": "\(backend == .sqlite ? "dev" : "server")",
          "stores": {
            "dev": "sqlite:\(storeName).sqlite",
            "server": "postgres://app@127.0.0.1:5432/\(storeName)"
          }
        }

        """
    }

    /// A server without a password, which only this machine reaches.
    var composeFile: String {
        """
        # A PostgreSQL server for development, the store "server" of storectl.json. It accepts connections of this machine
        # only, and asks for no password.
        services:
          postgres:
            image: postgres:18
            environment:
              POSTGRES_USER: app
              POSTGRES_DB: \(storeName)
              POSTGRES_HOST_AUTH_METHOD: trust
            ports: ["127.0.0.1:5432:5432"]
            volumes: ["data:/var/lib/postgresql"]
            healthcheck:
              # Over TCP, because during its setup the server listens on its socket only.
              test: [CMD, pg_isready, --host=127.0.0.1, --username=app, --dbname=\(storeName)]
              interval: 2s
              timeout: 2s
              retries: 30

        volumes:
          data:

        """
    }

    var ignoredFiles: String {
        """
        .build/
        .swiftpm/
        *.sqlite
        *.sqlite-wal
        *.sqlite-shm
        *.sqlite-migrating

        """
    }
}
